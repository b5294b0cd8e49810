import { setTimeout as wait } from 'node:timers/promises';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { type BodyInPieces, bodyStream, hashOf } from '../../platform/aws/bodyInPieces.ts';
import { connection } from '../../platform/aws/connection.ts';
import { domainOf } from '../../platform/aws/domain.ts';
import { credentials } from '../../platform/aws/signing/credentials.ts';
import { signingDateAt } from '../../platform/aws/signing/serverClock.ts';
import { UnansweredRequest } from '../../platform/aws/unanswered.ts';
import { config, hasConfig } from '../../platform/config.ts';
import { remainingMilliseconds } from '../../platform/deadline.ts';

/**
 * The bucket of large files, spoken to by signed requests of the few kinds that are needed: the SDK's client of S3 would
 * be more than half of what a function that sends may weigh. The signature and the connections are the SDK's own.
 */
const { requestHandler } = connection({ answering: 10_000 });

export type FileRequest = Parameters<SignatureV4['presign']>[0];
export type FileBody = Uint8Array | BodyInPieces;
export type FileAnswer = Awaited<ReturnType<typeof requestHandler.handle>>['response'];

export const signer = () =>
  new SignatureV4({
    service: 's3',
    region: config('AWS_REGION'),
    credentials,
    sha256: Sha256,
    // S3 alone takes a path as it is written (Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header").
    uriEscapePath: false,
  });

/** A request for a key of the bucket; the empty key is the bucket itself. */
export async function requestOf(
  method: string,
  key: string,
  { headers = {}, query = {} }: { headers?: Record<string, string>; query?: Record<string, string> } = {},
): Promise<FileRequest> {
  const { protocol, hostname, port, pathname } = addressOf(key);
  return {
    method,
    protocol,
    hostname,
    ...(port && { port: Number(port) }),
    path: pathname,
    query,
    headers: { ...headers, host: port ? `${hostname}:${port}` : hostname },
  };
}

/** An endpoint that is given has the bucket in the path, as emulators want it; AWS has it in the name of the host. */
function addressOf(key: string): URL {
  const bucket = config('FILES_BUCKET');
  for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] as const) {
    const endpoint = hasConfig(name) ? config(name).replace(/\/$/, '') : '';
    if (endpoint) return new URL(`${endpoint}/${bucket}/${key}`);
  }
  const region = config('AWS_REGION');
  return new URL(`https://${bucket}.s3.${region}.${domainOf(region)}/${key}`);
}

/** Whatever is not what was asked for. `status` is HTTP's. */
class FileRequestError extends Error {
  override readonly name = 'FileRequestError';
  readonly status: number;

  constructor({ method, path }: FileRequest, status: number, answer: string) {
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(answer) ?? [];
    super(`The bucket answered ${method} ${path} with ${status} ${code}`.trimEnd());
    this.status = status;
  }
}

const retryWaitsMilliseconds = [100, 400];

/**
 * Sends a request that does the same however often it is done, again when the bucket was busy or did not answer, and
 * gives what came with one of `expected`. Throws `FileRequestError` for any other answer.
 */
export async function ask(
  request: FileRequest,
  body: FileBody | null,
  expected: readonly number[],
): Promise<FileAnswer> {
  for (let round = 0; ; round += 1) {
    const answer = await attempt(request, body);
    if (!(answer instanceof Error) && expected.includes(answer.statusCode)) return answer;
    const error =
      answer instanceof Error ? answer : new FileRequestError(request, answer.statusCode, await textOf(answer));
    const pause = retryWaitsMilliseconds[round];
    const isPassing = !(error instanceof FileRequestError) || error.status >= 500 || error.status === 429;
    if (!isPassing || pause === undefined || remainingMilliseconds() < pause * 2) throw error;
    await wait(pause * (0.5 + Math.random()));
  }
}

async function attempt(request: FileRequest, body: FileBody | null): Promise<FileAnswer | UnansweredRequest> {
  try {
    const signed = await signer().sign(withBody(request, body), { signingDate: signingDateAt(Date.now()) });
    const sent = body && !(body instanceof Uint8Array) ? { ...signed, body: bodyStream(body) } : signed;
    return (await requestHandler.handle(sent as Parameters<typeof requestHandler.handle>[0])).response;
  } catch (error) {
    if (error instanceof UnansweredRequest) return error;
    throw error;
  }
}

/** The request as it is signed: with its body, or with the hash of one that is in pieces. */
function withBody(request: FileRequest, body: FileBody | null): FileRequest {
  if (body === null) return request;
  if (body instanceof Uint8Array) return { ...request, body };
  return { ...request, headers: { ...request.headers, 'x-amz-content-sha256': hashOf(body) } };
}

export async function textOf({ body }: FileAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
