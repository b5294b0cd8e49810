import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorCodes, ServiceError } from '../contract/errors.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import type { Reply } from './call.ts';

/** A refusal whose status the contract gives and whose code it shares with others: 403, 405 and 413. */
export class TransportError extends ServiceError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: 403 | 405 | 413, text: Text, headers: Record<string, string> = {}) {
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

export function wireReply(reply: Reply, headers: Record<string, string>): APIGatewayProxyResult {
  return {
    statusCode: reply.status,
    headers: { ...fixedHeaders, ...headers, ...reply.headers },
    body: reply.body === undefined ? '' : JSON.stringify(reply.body),
  };
}

/** The one shape of every error. What is not a `ServiceError` says nothing of the inside, only the request's id. */
export function wireError(
  error: unknown,
  context: { language: Language; requestId: string },
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  const known = error instanceof ServiceError ? error : new ServiceError('internal_error');
  const message = known.text[context.language];
  const statusCode = known instanceof TransportError ? known.status : errorCodes[known.code].status;
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
  return {
    // RFC 9110 section 15.5.2 wants it on every 401; the scheme is that of RFC 6750.
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...retryHeader(error),
    ...(error instanceof TransportError ? error.headers : {}),
  };
}

function detailsOf(error: ServiceError, context: { language: Language; requestId: string }): Record<string, unknown> {
  if (error.code === 'internal_error') return { request_id: context.requestId };
  const issues = error.issues.map(({ path, text }) => ({ path, message: text[context.language] }));
  if (issues.length > 0) return { ...error.details, issues };
  if (error.code === 'validation_error') {
    return { issues: [{ path: '', message: error.text[context.language] }], ...error.details };
  }
  return error.details;
}

function retryHeader(error: ServiceError): Record<string, string> {
  return error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.max(1, error.retryAfterSeconds)) };
}
