import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** An error with S3's code and status (Amazon S3 API Reference, "Error responses"). */
export class S3Error extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A verified request with the required hash of its body, null for any body. */
export interface Verified {
  readonly bodyHash: string | null;
}

/** Requests are signed by the machine's time, addresses by the service's, which may be ahead. */
export interface Times {
  readonly machine: Date;
  readonly service: Date;
}

const unsignedPayload = 'UNSIGNED-PAYLOAD';

/**
 * Verifies a request as S3 does, by its Authorization header or by the query of a presigned address: it is signed again
 * with the headers that it names as signed, and both signatures must be equal. Throws S3Error.
 */
export async function verify(request: IncomingMessage, credentials: Credentials, times: Times): Promise<Verified> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  return url.searchParams.has('X-Amz-Signature')
    ? verifyPresigned(request, url, credentials, times.service)
    : verifyHeader(request, url, credentials, times.machine);
}

async function verifyHeader(
  request: IncomingMessage,
  url: URL,
  credentials: Credentials,
  now: Date,
): Promise<Verified> {
  const given = request.headers.authorization ?? '';
  const [, accessKeyId, region = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      given,
    ) ?? [];
  if (accessKeyId === undefined) throw new S3Error('AccessDenied', 403, 'Access Denied');
  const signingDate = dateOf(String(request.headers['x-amz-date'] ?? ''));
  if (Math.abs(now.getTime() - signingDate.getTime()) > 15 * 60_000) {
    throw new S3Error('RequestTimeTooSkewed', 403, 'The difference between the times is too large.');
  }
  const bodyHash = String(request.headers['x-amz-content-sha256'] ?? '');
  if (!bodyHash) throw new S3Error('InvalidRequest', 400, 'Missing required header: x-amz-content-sha256');
  const { headers } = await signerOf(credentials, accessKeyId, region).sign(
    { ...addressOf(request, url), headers: signedHeaders(request, names.split(';')) },
    { signingDate },
  );
  compare(/Signature=(\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '', signature);
  return { bodyHash: bodyHash === unsignedPayload ? null : bodyHash };
}

async function verifyPresigned(
  request: IncomingMessage,
  url: URL,
  credentials: Credentials,
  now: Date,
): Promise<Verified> {
  const query = Object.fromEntries(url.searchParams);
  const [accessKeyId = '', , region = ''] = (query['X-Amz-Credential'] ?? '').split('/');
  const signingDate = dateOf(query['X-Amz-Date'] ?? '');
  const expiresIn = Number(query['X-Amz-Expires']);
  if (!(expiresIn > 0)) throw new S3Error('AuthorizationQueryParametersError', 400, 'X-Amz-Expires is not a number.');
  if (now.getTime() > signingDate.getTime() + expiresIn * 1000) {
    throw new S3Error('AccessDenied', 403, 'Request has expired');
  }
  const names = (query['X-Amz-SignedHeaders'] ?? '').split(';');
  const own = Object.fromEntries(Object.entries(query).filter(([name]) => !presigning.test(name)));
  const headers = { ...signedHeaders(request, names), 'x-amz-content-sha256': unsignedPayload };
  const { 'x-amz-content-sha256': _, ...rest } = own;
  const signed = await signerOf(credentials, accessKeyId, region).presign(
    { ...addressOf(request, url), query: rest, headers },
    { signingDate, expiresIn, unhoistableHeaders: new Set(names) },
  );
  compare(String(signed.query?.['X-Amz-Signature'] ?? ''), query['X-Amz-Signature'] ?? '');
  return { bodyHash: null };
}

const presigning = /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token)$/;

function signerOf({ accessKeyId, secretAccessKey }: Credentials, given: string, region: string): SignatureV4 {
  if (given !== accessKeyId) throw new S3Error('InvalidAccessKeyId', 403, 'The access key does not exist.');
  return new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
  });
}

function addressOf(request: IncomingMessage, url: URL) {
  return {
    method: request.method ?? 'GET',
    protocol: 'http:',
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
  };
}

/** A missing header is signed as empty, so that the signatures differ. */
function signedHeaders(request: IncomingMessage, names: readonly string[]): Record<string, string> {
  const kept = names.filter((name) => name !== 'x-amz-date' || !request.headers.authorization);
  return Object.fromEntries(kept.map((name) => [name, String(request.headers[name] ?? '')]));
}

function compare(expected: string, given: string): void {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  if (one.length === other.length && one.length > 0 && timingSafeEqual(one, other)) return;
  const text = 'The request signature we calculated does not match the signature you provided.';
  throw new S3Error('SignatureDoesNotMatch', 403, text);
}

function dateOf(text: string): Date {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if (parts.length === 0) throw new S3Error('AccessDenied', 403, 'A signed request must say when it was signed.');
  const [year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
