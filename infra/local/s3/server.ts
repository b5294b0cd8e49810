import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { machineTime, now, nowMilliseconds } from '../../../shared/platform/clock.ts';
import { files } from '../../resources.ts';
import { expiryPart } from '../clock/expiryPart.ts';
import { closeServer, type Engine, listenLocally } from '../engine/engine.ts';
import { Objects } from './internal/objects.ts';
import { type Credentials, S3Error, type Verified, verify } from './internal/signature.ts';

export interface LocalFilesOptions {
  readonly dataDir: string;
  readonly credentials: Credentials;
  readonly port?: number;
}

/** S3 applies lifecycle rules daily; here they are applied hourly. */
const expiryMilliseconds = 3_600_000;
const dayMilliseconds = 24 * 3_600_000;

interface S3Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly objects: Objects;
  readonly key: string;
  readonly url: URL;
  readonly verified: Verified;
}

/**
 * The part of S3 that the service uses, on one bucket: write, read, delete and list, by signed requests and presigned
 * addresses, with a check of the signature. Files are in `<dataDir>/files` and survive a kill.
 */
export async function startFiles({ dataDir, credentials, port }: LocalFilesOptions): Promise<Engine> {
  const objects = new Objects(join(dataDir, 'files'));
  const server = createServer((request, response) => {
    answer(request, response, objects, credentials).catch((error: unknown) => refuse(request, response, error));
  });
  const endpoint = await listenLocally(server, port);
  const timer = setInterval(() => expire(objects, now()).catch(console.error), expiryMilliseconds);
  timer.unref();
  return {
    endpoint,
    clocked: expiryPart(() => expire(objects, now()), nowMilliseconds),
    stop: async () => {
      clearInterval(timer);
      await closeServer(server);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  objects: Objects,
  credentials: Credentials,
): Promise<void> {
  const verified = await verify(request, credentials, { machine: machineTime(), service: now() });
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [, , ...rest] = url.pathname.split('/');
  const key = rest.map(decodeURIComponent).join('/');
  const operation = key === '' ? bucketOperations[request.method ?? ''] : operations[request.method ?? ''];
  if (!operation) throw new S3Error('MethodNotAllowed', 405, 'The specified method is not allowed here.');
  await operation({ request, response, objects, key, url, verified });
}

const bucketOperations: Readonly<Record<string, (call: S3Call) => Promise<void>>> = {
  GET: async ({ response, objects, url }) => {
    const after = url.searchParams.get('start-after') ?? '';
    const keys = (await objects.list(url.searchParams.get('prefix') ?? '')).filter((key) => key > after);
    const shown = keys.slice(0, 1000).map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`);
    const truncated = `<IsTruncated>${keys.length > 1000}</IsTruncated>`;
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    response.end(`<ListBucketResult>${truncated}${shown.join('')}</ListBucketResult>`);
  },
};

const operations: Readonly<Record<string, (call: S3Call) => Promise<void>>> = {
  PUT: (call) => (call.url.searchParams.has('partNumber') ? putPart(call) : put(call)),
  POST: (call) => (call.url.searchParams.has('uploads') ? beginUpload(call) : completeUpload(call)),
  GET: get,
  HEAD: get,
  DELETE: async ({ response, objects, key }) => {
    await objects.delete(key);
    response.writeHead(204).end();
  },
};

async function put(call: S3Call): Promise<void> {
  const { request, response, key } = call;
  const etag = await receive(call, key, request.headers['content-type'] ?? 'binary/octet-stream');
  response.writeHead(200, { ETag: etag }).end();
}

/** The conditions of a write (Amazon S3 User Guide, "How to prevent object overwrites with conditional writes"). */
function checkConditions({ headers }: IncomingMessage, replaced: string | null): void {
  const { 'if-match': expected, 'if-none-match': none } = headers;
  if (expected !== undefined && replaced === null) {
    throw new S3Error('NoSuchKey', 404, 'The specified key does not exist.');
  }
  if ((expected !== undefined && expected !== replaced) || (none === '*' && replaced !== null)) {
    const message = 'At least one of the pre-conditions you specified did not hold';
    throw new S3Error('PreconditionFailed', 412, message);
  }
}

/** Stores the body as the object of a key, and answers its tag. */
async function receive(
  { request, objects, verified: { bodyHash } }: S3Call,
  key: string,
  type: string,
): Promise<string> {
  if (request.headers['content-length'] === undefined) {
    throw new S3Error('MissingContentLength', 411, 'You must provide the Content-Length HTTP header.');
  }
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const checksum = request.headers['x-amz-checksum-sha256'];
  const body = request.pipe(hashed);
  request.on('error', (error) => hashed.destroy(error));
  let etag = '';
  const finish = () => {
    const digest = hash.digest();
    const computed = digest.toString('hex');
    if (bodyHash !== null && computed !== bodyHash) {
      throw new S3Error('XAmzContentSHA256Mismatch', 400, 'The provided hash does not match what was computed.');
    }
    if (checksum !== undefined && digest.toString('base64') !== checksum) {
      throw new S3Error('BadDigest', 400, 'The SHA256 you specified did not match the calculated checksum.');
    }
    etag = `"${computed}"`;
    return etag;
  };
  await objects.put(key, type, body, finish, (replaced) => checkConditions(request, replaced));
  return etag;
}

/** A multipart upload: until it is completed, each part is an object of its own that no list shows. */
async function beginUpload({ request, response, objects, key }: S3Call): Promise<void> {
  const id = randomUUID();
  const type = request.headers['content-type'] ?? 'binary/octet-stream';
  await objects.put(uploadKey(id), type, Readable.from([key]), () => '');
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

async function putPart(call: S3Call): Promise<void> {
  const { id, upload } = await openUpload(call);
  const number = call.url.searchParams.get('partNumber') ?? '';
  const etag = await receive(call, partKey(id, number), upload.contentType);
  call.response.writeHead(200, { ETag: etag }).end();
}

async function completeUpload(call: S3Call): Promise<void> {
  const { request, response, objects, key } = call;
  const { id, upload } = await openUpload(call);
  const body = await text(request);
  const keys = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number = '']) => partKey(id, number));
  async function* content(): AsyncGenerator<Buffer> {
    for (const part of keys) {
      const found = await objects.find(part);
      if (!found) throw new S3Error('InvalidPart', 400, 'One or more of the specified parts could not be found.');
      yield* createReadStream(found.path) as AsyncIterable<Buffer>;
    }
  }
  await objects.put(key, upload.contentType, Readable.from(content()), () => `"${id}"`);
  await Promise.all([uploadKey(id), ...keys].map((one) => objects.delete(one)));
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end('<CompleteMultipartUploadResult/>');
}

/** The multipart upload that a call names, if it belongs to this key. */
async function openUpload({ objects, key, url }: S3Call) {
  const id = url.searchParams.get('uploadId') ?? '';
  const upload = await objects.find(uploadKey(id));
  if (!upload || (await readFile(upload.path, 'utf8')) !== key) {
    throw new S3Error('NoSuchUpload', 404, 'The specified upload does not exist.');
  }
  return { id, upload };
}

const uploadKey = (id: string): string => `.upload/${id}`;
const partKey = (id: string, number: string): string => `.upload/${id}/${number}`;

async function get({ request, response, objects, key, url }: S3Call): Promise<void> {
  const found = objects.open(key);
  if (!found) throw new S3Error('NoSuchKey', 404, 'The specified key does not exist.');
  try {
    // An object of an earlier release has no tag.
    const etag = found.etag || `"${found.writtenAt.getTime().toString(16)}-${found.bytes.toString(16)}"`;
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== etag) {
      throw new S3Error('PreconditionFailed', 412, 'At least one of the pre-conditions you specified did not hold.');
    }
    const range = rangeOf(request.headers.range, found.bytes);
    const saveAs = url.searchParams.get('response-content-disposition');
    response.writeHead(range ? 206 : 200, {
      ...(saveAs !== null && { 'Content-Disposition': saveAs }),
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${found.bytes}` }),
      'Content-Type': found.contentType,
      'Content-Length': range ? range.end - range.start + 1 : found.bytes,
      ETag: etag,
      'Last-Modified': found.writtenAt.toUTCString(),
    });
    if (request.method === 'HEAD') response.end();
    else {
      const content = createReadStream('', { fd: found.descriptor, autoClose: false, start: 0, ...range });
      await pipeline(content, response);
    }
  } finally {
    closeSync(found.descriptor);
  }
}

/** The first and the last byte that a `Range` asks for (RFC 9110 section 14.1.2); null when none is asked for. */
function rangeOf(header: string | undefined, bytes: number): { start: number; end: number } | null {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header ?? '') ?? [];
  if (first === undefined) return null;
  const [start, end] = [Number(first), Math.min(Number(last), bytes - 1)];
  if (start > end) throw new S3Error('InvalidRange', 416, 'The requested range is not satisfiable.');
  return { start, end };
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // The body is read to its end: otherwise the sender sees a broken connection instead of the answer.
  request.resume();
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, status, message } =
    error instanceof S3Error ? error : new S3Error('InternalError', 500, String((error as Error).message));
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

/** Deletes expired files, as the bucket's lifecycle rules do on AWS. */
async function expire(objects: Objects, now: Date): Promise<void> {
  for (const { prefix, expiresAfterDays } of files.areas) {
    for (const key of await objects.list(prefix)) {
      const found = await objects.find(key);
      const age = now.getTime() - (found?.writtenAt.getTime() ?? now.getTime());
      if (age > expiresAfterDays * dayMilliseconds) await objects.delete(key);
    }
  }
}
