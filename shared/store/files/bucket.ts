import type { IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { bytesIn, type Chunks, collectGarbage } from '../../platform/memory.ts';
import { inParallel } from '../../platform/parallel.ts';
import { type FileBody, fileRequest, isMissingFile, presignedUrl, send } from './internal/signedRequest.ts';

/** The bytes of a file; null when there is none. */
export async function getFile(key: string): Promise<Buffer | null> {
  const chunks = await getChunks(key);
  return chunks && Buffer.concat(chunks);
}

/** A part of a file. */
export interface FileRange {
  readonly bytes: Buffer;
  /** The version of the file, and the size of all of it. */
  readonly etag: string;
  readonly total: number;
}

/**
 * At most `length` bytes from `start` on, which must lie in the file; of the version `etag` if one is given. Null when
 * there is no such file or version.
 */
export async function getRange(
  key: string,
  { start, length, etag }: { readonly start: number; readonly length: number; readonly etag?: string | undefined },
): Promise<FileRange | null> {
  const headers = { range: `bytes=${start}-${start + length - 1}`, ...(etag !== undefined && { 'if-match': etag }) };
  const answer = await sendGet(key, headers, 206);
  if (!answer) return null;
  const bytes = Buffer.concat(await chunksOf(answer));
  const [, total = ''] = /\/(\d+)$/.exec(String(answer.headers['content-range'])) ?? [];
  return { bytes, etag: String(answer.headers.etag), total: Number(total) };
}

/** The bytes of a file in chunks, so that a large one is never in memory twice; null when there is none. */
export async function getChunks(key: string): Promise<Chunks | null> {
  const answer = await sendGet(key, {}, 200);
  return answer && chunksOf(answer);
}

async function sendGet(key: string, headers: Record<string, string>, status: number): Promise<IncomingMessage | null> {
  return send('GetObject', fileRequest('GET', key, { headers }), null, [status]).catch((error: unknown) => {
    if (isMissingFile(error)) return null;
    throw error;
  });
}

async function chunksOf(answer: IncomingMessage): Promise<Chunks> {
  clearAway('major');
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    read.minor += chunk.length;
    read.major += chunk.length;
    clearAway('minor');
  }
  const [length, expected] = [bytesIn(chunks), Number(answer.headers['content-length'] ?? 0)];
  if (length !== expected) throw new Error(`A file of ${expected} bytes ended after ${length}.`);
  return chunks;
}

/** Bytes that may be read before garbage is collected: buffers of the connection, and used files. */
const maxGarbage = { minor: 4_000_000, major: 16_000_000 };

/** Bytes read since the last collection. */
const read = { minor: 0, major: 0 };

function clearAway(type: keyof typeof maxGarbage): void {
  if (read[type] < maxGarbage[type]) return;
  read[type] = 0;
  collectGarbage(type);
}

/** Writes a file, replacing one with the same key. It is durable when this returns. */
export const putFile = (key: string, bytes: Uint8Array, contentType = 'application/octet-stream'): Promise<void> =>
  put(key, bytes, contentType);

/** A file with the tag of its content. */
export interface TaggedFile {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Null when there is none. */
export async function getTaggedFile(key: string): Promise<TaggedFile | null> {
  const answer = await send('GetObject', fileRequest('GET', key), null, [200]).catch((error: unknown) => {
    if (isMissingFile(error)) return null;
    throw error;
  });
  if (!answer) return null;
  const bytes = await buffer(answer);
  const expected = Number(answer.headers['content-length'] ?? bytes.length);
  if (bytes.length !== expected) throw new Error(`A file of ${expected} bytes ended after ${bytes.length}.`);
  return { bytes, etag: String(answer.headers.etag) };
}

/**
 * Replaces a file if its tag is still `before`, or writes a new one where there is none (`before` is null). Null when
 * another process was faster; else the new tag. A repetition after a lost answer also gives null: read the file again.
 * (Amazon S3 User Guide, "How to prevent object overwrites with conditional writes".)
 */
export async function replaceFile(key: string, bytes: Uint8Array, before: string | null): Promise<string | null> {
  const condition: Record<string, string> = before === null ? { 'if-none-match': '*' } : { 'if-match': before };
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length), ...condition };
  const answer = await send('PutObject', fileRequest('PUT', key, { headers }), bytes, [200, 404, 409, 412]);
  await text(answer);
  return answer.statusCode === 200 ? String(answer.headers.etag) : null;
}

/** Writes a file in chunks without joining them. */
const putChunks = (key: string, chunks: Chunks): Promise<void> =>
  put(key, { length: bytesIn(chunks), pieces: () => chunks }, 'application/octet-stream');

async function put(key: string, body: FileBody, contentType: string): Promise<void> {
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  await text(await send('PutObject', fileRequest('PUT', key, { headers }), body, [200]));
}

/** Deletes a file; one that does not exist is no error. */
export async function deleteFile(key: string): Promise<void> {
  await text(await send('DeleteObject', fileRequest('DELETE', key), null, [204, 404]));
}

/** Up to 1,000 keys with this prefix: a caller that deletes them repeats the call until there is none. */
export const listFiles = (prefix: string): Promise<readonly string[]> => listFilesAfter(prefix, '');

/** The same, after this key. */
export async function listFilesAfter(prefix: string, after: string): Promise<readonly string[]> {
  // Encoded, since XML 1.0 cannot hold every character that a key can (Amazon S3 API Reference, ListObjectsV2).
  const query = {
    ...{ 'list-type': '2', prefix, 'encoding-type': 'url' },
    ...(after !== '' && { 'start-after': after }),
  };
  const answer = await text(await send('ListObjectsV2', fileRequest('GET', '', { query }), null, [200]));
  return [...answer.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) =>
    decodeURIComponent(key.replace(/\+/g, ' ')),
  );
}

/** S3 requires at least 5 MB for every part but the last. 10,000 parts of this size are 80 GB. */
const partBytes = 8_000_000;

/**
 * Writes a file of unknown length while it is produced, with one part in memory; returns its size in bytes. It appears
 * completely or not at all: lifecycle rules delete the parts of an incomplete one. May be repeated.
 */
export async function putStream(key: string, content: AsyncIterable<string>, contentType: string): Promise<number> {
  const etags: string[] = [];
  let upload: string | null = null;
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    upload ??= await beginUpload(key, contentType);
    etags.push(await putPart(key, upload, etags.length + 1, Buffer.concat(waiting)));
    waiting = [];
    waitingBytes = 0;
  };
  for await (const words of content) {
    const piece = Buffer.from(words);
    waiting.push(piece);
    waitingBytes += piece.length;
    bytes += piece.length;
    if (waitingBytes >= partBytes) await flush();
  }
  if (etags.length === 0) {
    await putFile(key, Buffer.concat(waiting), contentType);
    return bytes;
  }
  if (waitingBytes > 0) await flush();
  if (upload !== null) await completeUpload(key, upload, etags);
  return bytes;
}

async function beginUpload(key: string, contentType: string): Promise<string> {
  const request = fileRequest('POST', key, { headers: { 'content-type': contentType }, query: { uploads: '' } });
  const answer = await text(await send('CreateMultipartUpload', request, null, [200]));
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(answer)?.[1];
  if (id === undefined) throw new Error('The bucket began an upload without an id.');
  return id;
}

async function putPart(key: string, uploadId: string, partNumber: number, bytes: Buffer): Promise<string> {
  const query = { partNumber: String(partNumber), uploadId };
  const headers = { 'content-length': String(bytes.length) };
  const answer = await send('UploadPart', fileRequest('PUT', key, { headers, query }), bytes, [200]);
  await text(answer);
  return String(answer.headers.etag);
}

/** A 200 may contain an error: S3 answers before it has joined the parts (API Reference, CompleteMultipartUpload). */
async function completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<void> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) };
  const request = fileRequest('POST', key, { headers, query: { uploadId } });
  const answer = await text(await send('CompleteMultipartUpload', request, body, [200]));
  if (answer.includes('<Error>')) throw new Error('The bucket could not put the parts of a file together.');
}

export interface UploadAddress {
  readonly url: string;
  /** Must be sent exactly as given: they are signed. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A URL for uploading one file of exactly this size and type: both headers are signed, and S3 refuses other ones as
 * SignatureDoesNotMatch (Amazon S3 User Guide, "Download and upload objects with presigned URLs"). With a checksum, S3
 * refuses a different file as BadDigest ("Checking object integrity in Amazon S3").
 */
export async function presignPut(
  key: string,
  file: { readonly bytes: number; readonly contentType: string; readonly sha256: string | null },
  { now, expiresInSeconds }: { readonly now: Date; readonly expiresInSeconds: number },
): Promise<UploadAddress> {
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.bytes),
    ...(file.sha256 !== null && { [checksumHeader]: file.sha256 }),
  };
  const request = fileRequest('PUT', key, { headers: { ...headers, ...unsignedBody } });
  // As part of the query S3 would not compare the checksum with the file.
  const url = await presignedUrl(request, { now, expiresIn: expiresInSeconds, inHeaders: [checksumHeader] });
  return { url, headers };
}

const checksumHeader = 'x-amz-checksum-sha256';

/** A presigned request does not cover the body, which is not known yet. */
const unsignedBody = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/** Enough time to follow a link once. */
const downloadSeconds = 60;

/** A URL for downloading one file, within a minute unless told otherwise, under the name `saveAs`. */
export function presignGet(
  key: string,
  {
    saveAs,
    now,
    seconds = downloadSeconds,
  }: { readonly saveAs: string; readonly now: Date; readonly seconds?: number },
): Promise<string> {
  const query = { 'response-content-disposition': `attachment; filename="${saveAs}"` };
  return presignedUrl(fileRequest('GET', key, { headers: unsignedBody, query }), { now, expiresIn: seconds });
}

/**
 * The keys of all files: area, workspace, and the file's own id. Permissions and expiry depend on the area (`files` in
 * infra/resources.ts).
 */
const areas = {
  uploads: 'uploads',
  bodies: 'bodies',
  imports: 'imports',
  exports: 'exports',
  archive: 'archive',
} as const;

export const uploadKey = (workspaceId: string, uploadId: string): string =>
  `${areas.uploads}/${workspaceId}/${uploadId}`;

/** The key of a file that an application uploads whole, to be imported. */
export const importUploadKey = (workspaceId: string, jobId: string): string =>
  `${areas.imports}/${workspaceId}/${jobId}/upload`;

/** The keys of an imported file's pieces, of its refused lines, and of the report that joins them. */
export const importPieceKey = (workspaceId: string, jobId: string, piece: number): string =>
  `${areas.imports}/${workspaceId}/${jobId}/piece-${piece}`;
export const refusedPieceKey = (workspaceId: string, jobId: string, piece: number): string =>
  `${areas.imports}/${workspaceId}/${jobId}/refused-${piece}`;
export const refusedReportKey = (workspaceId: string, jobId: string): string =>
  `${areas.imports}/${workspaceId}/${jobId}/refused`;

export const exportKey = (workspaceId: string, jobId: string): string => `${areas.exports}/${workspaceId}/${jobId}`;

/** The file of copied emails that begins with this one. */
export const archiveFileKey = (workspaceId: string, day: string, firstEmailId: string): string =>
  `${archiveFiles(workspaceId)}${day}/${firstEmailId}`;
export const archiveFiles = (workspaceId: string): string => `${areas.archive}/${workspaceId}/`;

const bodyKey = (workspaceId: string, emailId: string): string => `${areas.bodies}/${workspaceId}/${emailId}`;

/** Writes the body of a scheduled email, replacing an earlier one. */
export const putBody = (workspaceId: string, emailId: string, body: Chunks): Promise<void> =>
  putChunks(bodyKey(workspaceId, emailId), body);

/** Null when there is none (any more). */
export const getBody = (workspaceId: string, emailId: string): Promise<Chunks | null> =>
  getChunks(bodyKey(workspaceId, emailId));

/** Deletes a body; one that does not exist is no error. */
export const deleteBody = (workspaceId: string, emailId: string): Promise<void> =>
  deleteFile(bodyKey(workspaceId, emailId));

/** The key prefixes of a workspace. */
export const filesOfWorkspace = (workspaceId: string): readonly string[] =>
  Object.values(areas).map((area) => `${area}/${workspaceId}/`);

const callsAtOnce = 16;

/** Deletes one page of each area of a workspace; returns the number of files found, 0 when none was left. */
export async function eraseFiles(workspaceId: string): Promise<number> {
  const keys = (await Promise.all(filesOfWorkspace(workspaceId).map(listFiles))).flat();
  await inParallel(callsAtOnce, keys, deleteFile);
  return keys.length;
}
