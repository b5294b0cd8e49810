import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { partition } from '@aws-sdk/core/client';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Sha256 } from '@smithy/core/checksum';
import { buildQueryString } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { hashOf, usualPolicy } from '../../../platform/aws/clients.ts';
import { isRepeatable } from '../../../platform/aws/outage.ts';
import { machineTime } from '../../../platform/clock.ts';
import { config, hasConfig } from '../../../platform/config.ts';
import { endingWithDeadline, remainingMilliseconds } from '../../../platform/deadline.ts';
import { type BodyInPieces, HttpClient, UnansweredRequest } from '../../../platform/httpClient.ts';
import { documents } from '../../table/table.ts';

/**
 * S3 is accessed without its client, by requests that the SDK's signer signs: files are transferred in pieces, which
 * the client cannot do, and the client would add a sixth to the size of every function that sends.
 */
const http = /* @__PURE__ */ new HttpClient({ ...usualPolicy, answering: 10_000 });
const credentials = /* @__PURE__ */ defaultProvider();
/** True after the bucket refused the credentials: the next request gets new ones. */
let areCredentialsStale = false;

export type FileRequest = Parameters<SignatureV4['presign']>[0];
export type FileBody = Uint8Array | BodyInPieces;

const signer = () =>
  new SignatureV4({
    service: 's3',
    region: config('AWS_REGION'),
    credentials: () => credentials({ forceRefresh: areCredentialsStale }),
    sha256: Sha256,
    // Only S3 takes a path as it is written (Amazon S3 API Reference, "Authenticating Requests: Using the Authorization
    // Header").
    uriEscapePath: false,
  });

/** The clock offset in a refusal of the bucket; null before the first one. */
let clockOffset: number | null = null;

/** AWS's time: the SDK learns the clock offset from answers of DynamoDB. */
const awsTime = (now: Date): Date => new Date(now.getTime() + (clockOffset ?? documents.config.systemClockOffset));

/** A request for a key of the bucket; the empty key is the bucket itself. */
export function fileRequest(
  method: string,
  key: string,
  { headers = {}, query = {} }: { headers?: Record<string, string>; query?: Record<string, string> } = {},
): FileRequest {
  const { protocol, hostname, port, host, pathname } = addressOf(key);
  return {
    method,
    protocol,
    hostname,
    ...(port && { port: Number(port) }),
    path: pathname,
    query,
    headers: { ...headers, host },
  };
}

/** A configured endpoint has the bucket in the path, as emulators expect it; on AWS it is part of the host name. */
function addressOf(key: string): URL {
  const bucket = config('FILES_BUCKET');
  for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] as const) {
    const endpoint = hasConfig(name) ? config(name).replace(/\/$/, '') : '';
    if (endpoint) return new URL(`${endpoint}/${bucket}/${key}`);
  }
  const region = config('AWS_REGION');
  return new URL(`https://${bucket}.s3.${region}.${partition(region).dnsSuffix}/${key}`);
}

/** A presigned URL, which anybody who has it may use. */
export async function presignedUrl(
  request: FileRequest,
  { now, expiresIn, inHeaders = [] }: { now: Date; expiresIn: number; inHeaders?: readonly string[] },
): Promise<string> {
  const options = { signingDate: awsTime(now), expiresIn, unhoistableHeaders: new Set(inHeaders) };
  const { protocol, headers, path, query = {} } = await signer().presign(request, options);
  const url = new URL(`${protocol}//${headers.host}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

/** The bucket answered unexpectedly. Has S3's error code as its name, by which the SDK decides whether to retry. */
class FileRequestError extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(operation: string, { path }: FileRequest, status: number, answer: string) {
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(answer) ?? [];
    super(`The bucket answered ${operation} ${path} with ${status} ${code}`.trimEnd());
    this.name = code || 'FileRequestError';
    this.$metadata = { httpStatusCode: status };
  }
}

const clockErrors: ReadonlySet<string> = new Set([
  'RequestTimeTooSkewed',
  'RequestExpired',
  'InvalidSignatureException',
]);
const credentialErrors: ReadonlySet<string> = new Set(['ExpiredToken', 'TokenRefreshRequired', 'InvalidAccessKeyId']);

/**
 * Whether the same request may succeed later: S3 was busy (Amazon S3 API Reference, "Error responses"), or it will be
 * signed with the right time and new credentials. A 404 that is not S3's own comes from a proxy.
 */
function isPassing(error: Error): boolean {
  if (!(error instanceof FileRequestError)) return true;
  const { name, $metadata } = error;
  if (clockErrors.has(name) || credentialErrors.has(name) || name === 'OperationAborted') return true;
  if ($metadata.httpStatusCode === 404) return name === 'FileRequestError';
  return isRepeatable(error);
}

/** Learns the clock offset and stale credentials from a refusal. */
function learnFrom({ name }: Error, { headers }: IncomingMessage): void {
  areCredentialsStale = credentialErrors.has(name);
  const serverTime = Date.parse(String(headers.date));
  if (clockErrors.has(name) && !Number.isNaN(serverTime)) clockOffset = serverTime - machineTime().getTime();
}

const retryWaitsMilliseconds = [100, 400];

/** Whether S3 itself says that this file, or this version of it, does not exist: not a proxy, not about the bucket. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof FileRequestError && (error.name === 'NoSuchKey' || error.name === 'PreconditionFailed');

/**
 * Sends a request that may be repeated, and retries when the bucket is busy or does not answer. `operation` is its name
 * in the S3 API reference. Throws `FileRequestError` for an unexpected status.
 */
export async function send(
  operation: string,
  request: FileRequest,
  body: FileBody | null,
  expected: readonly number[],
): Promise<IncomingMessage> {
  for (let round = 0; ; round += 1) {
    const answer = await attempt(request, body);
    if (!(answer instanceof Error) && expected.includes(answer.statusCode ?? 0)) return answer;
    const error = answer instanceof Error ? answer : await refusalOf(operation, request, answer);
    const pause = retryWaitsMilliseconds[round];
    if (!isPassing(error) || pause === undefined || remainingMilliseconds() < pause * 2) throw error;
    await wait(pause * (0.5 + Math.random()));
  }
}

async function refusalOf(operation: string, request: FileRequest, answer: IncomingMessage): Promise<FileRequestError> {
  const error = new FileRequestError(operation, request, answer.statusCode ?? 0, await text(answer));
  learnFrom(error, answer);
  return error;
}

async function attempt(request: FileRequest, body: FileBody | null): Promise<IncomingMessage | UnansweredRequest> {
  const signing = signer().sign(withBody(request, body), { signingDate: awsTime(machineTime()) });
  const { method, protocol, hostname, port, path, query = {}, headers } = await endingWithDeadline(signing);
  const search = buildQueryString(query);
  try {
    return await http.send({
      ...{ method, protocol, hostname, port, path: search ? `${path}?${search}` : path, headers },
      body: body ?? undefined,
    });
  } catch (error) {
    if (error instanceof UnansweredRequest) return error;
    throw error;
  }
}

/** The request to sign: with its body, or with the hash of a body in pieces. */
function withBody(request: FileRequest, body: FileBody | null): FileRequest {
  if (body === null) return request;
  if (body instanceof Uint8Array) return { ...request, body };
  return { ...request, headers: { ...request.headers, 'x-amz-content-sha256': hashOf(body) } };
}
