import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { errorCodes, PassingError, ServiceError } from '../contract/errors.ts';
import type { Language } from '../language/languages.ts';
import { type Text, textsOf } from '../language/text.ts';
import { isOutage } from '../platform/aws/outage.ts';
import { headerOf } from './authenticate.ts';

const texts = textsOf({
  tooLargeUncompressed: {
    en: 'The answer is larger than the 6 MB that this service can send uncompressed: send "Accept-Encoding: gzip", or split the call.',
    fr: 'La réponse dépasse les 6 Mo que ce service peut envoyer sans compression : envoyez « Accept-Encoding: gzip », ou divisez l’appel.',
  },
  tooLarge: {
    en: 'The answer is larger than the 6 MB that this service can send, even compressed: split the call.',
    fr: 'La réponse dépasse les 6 Mo que ce service peut envoyer, même compressée : divisez l’appel.',
  },
});

/** A `validation_error` with another status than its usual 422. */
export class TransportError extends ServiceError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: 400 | 403 | 405 | 413, text: Text, headers: Record<string, string> = {}) {
    super('validation_error', { text, details: {} });
    this.status = status;
    this.headers = headers;
  }
}

const fixedHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Lets scripts of any web page read an answer (Fetch standard, "CORS protocol"). */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' };

/** Names and characters of a name: in any script they stay below the limit for all headers (API Gateway, 10,240 bytes). */
const maxIgnored = 20;
const longestIgnored = 30;

/** The names of ignored fields of the body, percent-encoded, because names are the caller's text. */
export function ignoredHeader(names: readonly string[] = []): Record<string, string> {
  const encoded = names
    .slice(0, maxIgnored)
    .map((name) => encodeURIComponent([...name].slice(0, longestIgnored).join('')));
  return encoded.length > 0 ? { 'Mailroom-Ignored': encoded.join(', ') } : {};
}

/** The answer to a call before serialisation. An undefined body is sent as an empty one. */
export interface RouteReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function wireReply(reply: RouteReply, headers: Record<string, string>): APIGatewayProxyResult {
  return {
    statusCode: reply.status,
    headers: { ...fixedHeaders, ...headers, ...reply.headers },
    body: reply.body === undefined ? '' : JSON.stringify(reply.body),
  };
}

/** When a call that failed because of an outage may be repeated. */
const outageSeconds = 10;

/** The error to report to the caller: an error that is not a `ServiceError` is internal, or a passing outage. */
export function knownError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isOutage(error)) return new PassingError('unavailable', { retryAfterSeconds: outageSeconds, cause: error });
  return new ServiceError('internal_error', { cause: error });
}

function statusOf(error: ServiceError): number {
  if (error instanceof TransportError) return error.status;
  return error instanceof PassingError ? PassingError.status : errorCodes[error.code].status;
}

/** The one shape of every error. An error that is no `ServiceError` reveals nothing but the id of the request. */
export function wireError(
  error: unknown,
  context: { language: Language; requestId: string },
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  const known = knownError(error);
  const message = known.text[context.language];
  const statusCode = statusOf(known);
  return wireReply(
    {
      status: statusCode,
      body: {
        error: { code: known.code, message, details: detailsOf(known, context) },
        statusCode,
        message,
        name: known.code,
      },
    },
    { ...headers, ...headersOf(known, statusCode) },
  );
}

function headersOf(error: ServiceError, status: number): Record<string, string> {
  const { retryAfterSeconds } = error;
  return {
    // Required on every 401 (RFC 9110 section 15.5.2); the scheme is that of RFC 6750.
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.max(1, retryAfterSeconds)) }),
    ...(error instanceof TransportError && error.headers),
  };
}

function detailsOf(error: ServiceError, context: { language: Language; requestId: string }): Record<string, unknown> {
  if (error instanceof PassingError) return { request_id: context.requestId, ...error.details };
  if (error.code === 'internal_error') return { request_id: context.requestId };
  const issues = error.issues.map(({ path, text }) => ({ path, message: text[context.language] }));
  if (issues.length > 0) return { ...error.details, issues };
  if (error.code === 'validation_error') {
    return { issues: [{ path: '', message: error.text[context.language] }], ...error.details };
  }
  return error.details;
}

const compress = promisify(gzip);

/** The largest answer of a Lambda function (AWS Lambda quotas), measured as JSON, in which the body is an escaped string. */
export const maxAnswerBytes = 6_291_556;

/** Below this length, compression costs more time than it saves. */
const compressedFromCharacters = 500_000;

/**
 * The answer in a form that Lambda can return: compressed when it is large and the client accepts gzip. Throws a 413 when
 * no form that the client accepts is small enough.
 */
export async function transportable(
  result: APIGatewayProxyResult,
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  compressedFrom = compressedFromCharacters,
): Promise<APIGatewayProxyResult> {
  if (result.body.length < compressedFrom) return result;
  const acceptsGzip = takesGzip(headerOf(event, 'accept-encoding'));
  // Random content grows when compressed, since base64 adds more than gzip removes: then the plain form may still fit.
  const forms = acceptsGzip ? [await compressed(result), result] : [result];
  const fitting = forms.find((form) => Buffer.byteLength(JSON.stringify(form)) <= maxAnswerBytes);
  if (fitting) return fitting;
  throw new TransportError(413, acceptsGzip ? texts.tooLarge : texts.tooLargeUncompressed);
}

async function compressed(result: APIGatewayProxyResult): Promise<APIGatewayProxyResult> {
  const body = (await compress(result.body)).toString('base64');
  const headers = {
    ...result.headers,
    'Content-Encoding': 'gzip',
    Vary: [result.headers?.Vary, 'Accept-Encoding'].filter(Boolean).join(', '),
  };
  return { ...result, headers, body, isBase64Encoded: true };
}

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110 section 12.5.3). A client without the header gets none. */
export function takesGzip(acceptEncoding: string): boolean {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weightOf));
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

function weightOf(text: string): [string, number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
}

/** A document that is the same for every caller, ready to be sent. */
interface Prepared {
  readonly tag: string;
  /** In base64. */
  readonly compressed: string;
}

/**
 * Cached by text: a process has some dozens of such documents, and preparing one takes longer than the rest of a call.
 */
const prepared = new Map<string, Promise<Prepared>>();
const maxPrepared = 40;

function prepare(body: string): Promise<Prepared> {
  const known = prepared.get(body);
  if (known) return known;
  if (prepared.size >= maxPrepared) prepared.clear();
  const made = compress(body, { level: 9 }).then((bytes) => ({
    // Weak, because the compressed form has different bytes (RFC 9110 section 8.8.1).
    tag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    compressed: bytes.toString('base64'),
  }));
  prepared.set(body, made);
  return made;
}

/**
 * A document that clients may cache for some seconds and revalidate by its tag (RFC 9110 section 13.1.2): 304 without a
 * body when unchanged, else compressed for every client that accepts gzip.
 */
export async function cacheable(
  result: APIGatewayProxyResult,
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  seconds: number,
): Promise<APIGatewayProxyResult> {
  const { tag, compressed } = await prepare(result.body);
  const headers = {
    ...result.headers,
    'Cache-Control': `public, max-age=${seconds}`,
    ETag: tag,
    Vary: [result.headers?.Vary, 'Accept-Encoding'].filter(Boolean).join(', '),
  };
  if (isKnown(headerOf(event, 'if-none-match'), tag)) return { ...result, statusCode: 304, headers, body: '' };
  if (!takesGzip(headerOf(event, 'accept-encoding'))) return { ...result, headers };
  return { ...result, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed, isBase64Encoded: true };
}

/** A weak comparison, as `If-None-Match` requires. */
const isKnown = (given: string, tag: string): boolean =>
  given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag.slice(2));
