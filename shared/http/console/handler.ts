import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { languageOfCookies } from '../../console/access/cookies.ts';
import { failedPage, tooLargePage } from '../../console/access/plainPages.ts';
import { answer } from '../../console/answer.ts';
import type { ConsoleReply, ConsoleRequest } from '../../console/call.ts';
import { type Language, languageOf } from '../../language/languages.ts';
import { now, stopwatch } from '../../platform/clock.ts';
import { publicUrl, takeSettings } from '../../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../../platform/deadline.ts';
import { logger, withLogFields } from '../../platform/logger.ts';
import { headerOf } from '../authenticate.ts';
import { policyReporting } from '../policyReport.ts';
import { knownError, transportable } from '../response.ts';
import { type FormBody, readFormBody } from './internal/formBody.ts';

/** Tables shrink to a tenth, and the connection may be slow. */
const compressedFromCharacters = 2_000;

/** Every page of the console as one Lambda handler. Path, query and body are not logged. */
export async function handleConsole(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  const { requestId } = event.requestContext;
  const fields = { request_id: requestId, function_request_id: context.awsRequestId, page: 'console' };
  return withLogFields(fields, async () => {
    const elapsed = stopwatch();
    const result = await withinInvocation(context, () => resultOf(event), gatewayMilliseconds);
    const duration_ms = Math.round(elapsed());
    logger.info('console', { method: event.httpMethod, status: result.statusCode, duration_ms });
    return transportable(result, event, compressedFromCharacters);
  });
}

async function resultOf(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  takeSettings(event.stageVariables);
  // Cookies and forms need one origin, whatever other host names lead to this API.
  const location = locationOnOwnHost(event);
  if (location) return { statusCode: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
  const cookies = cookiesOf(headerOf(event, 'cookie'));
  const language = languageOf(languageOfCookies(cookies) ?? headerOf(event, 'accept-language'));
  return wire(await replyTo(event, cookies, language), language, event);
}

async function replyTo(
  event: APIGatewayProxyEvent,
  cookies: ReadonlyMap<string, string>,
  language: Language,
): Promise<ConsoleReply> {
  try {
    const body = await readFormBody(event);
    return body ? await answer({ ...requestOf(event, cookies, language), ...body }) : tooLargePage(language);
  } catch (error) {
    logger.error('The console failed.', error as Error);
    return failedPage(language, event.requestContext.requestId, knownError(error).retryAfterSeconds);
  }
}

function locationOnOwnHost(event: APIGatewayProxyEvent): string | null {
  const { host } = new URL(publicUrl());
  if (event.httpMethod === 'POST' || headerOf(event, 'host') === host) return null;
  const query = queryOf(event).toString();
  return `${publicUrl()}${event.path}${query === '' ? '' : `?${query}`}`;
}

function requestOf(
  event: APIGatewayProxyEvent,
  cookies: ReadonlyMap<string, string>,
  language: Language,
): Omit<ConsoleRequest, keyof FormBody> {
  return {
    method: event.httpMethod === 'POST' ? 'POST' : 'GET',
    path: event.path.replace(/^\/console/, '').replace(/\/$/, ''),
    query: queryOf(event),
    origin: headerOf(event, 'origin'),
    cookies,
    language,
    now: now(),
    requestId: event.requestContext.requestId,
  };
}

function queryOf(event: APIGatewayProxyEvent): URLSearchParams {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  return new URLSearchParams(
    given.flatMap(([name, values]) => (values ?? []).map((value): [string, string] => [name, value])),
  );
}

/** The first cookie of a name wins: it has the longest path (RFC 6265, section 5.4). */
function cookiesOf(header: string): Map<string, string> {
  const pairs = header.split(';').map((part) => part.trim().split('='));
  const cookies = new Map<string, string>();
  for (const [name = '', ...value] of pairs) if (!cookies.has(name)) cookies.set(name, value.join('='));
  return cookies;
}

function wire(reply: ConsoleReply, language: Language, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const cookies = reply.kind === 'file' ? [] : (reply.cookies ?? []);
  const common = {
    headers: { ...consoleHeaders(reply, language, event), 'X-Request-Id': event.requestContext.requestId },
    ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': [...cookies] } }),
  };
  switch (reply.kind) {
    case 'document':
      return { statusCode: reply.status, ...common, body: reply.document.toString() };
    case 'redirect':
      return { statusCode: 303, ...common, body: '' };
    case 'file':
      return { statusCode: reply.status ?? 200, ...common, body: reply.body };
  }
}

/**
 * Everything comes from the console's own origin, there are no inline scripts or styles, and it cannot be framed.
 * The referrer policy is `same-origin`: under `no-referrer` browsers would send forms with `Origin: null` (Fetch
 * standard, "append a request Origin header").
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Strict-Transport-Security': 'max-age=31536000',
};

export function consoleHeaders(
  reply: ConsoleReply,
  language: Language,
  event: Pick<APIGatewayProxyEvent, 'path'>,
): Record<string, string> {
  switch (reply.kind) {
    case 'document': {
      const reporting = policyReporting(event);
      return {
        ...always,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': [...policy, ...reporting.directives].join('; '),
        ...reporting.headers,
        'X-Frame-Options': 'DENY',
        'Cache-Control': 'no-store',
        ...(reply.retryAfterSeconds !== undefined && { 'Retry-After': String(reply.retryAfterSeconds) }),
      };
    }
    case 'redirect':
      return { ...always, Location: reply.location, 'Cache-Control': 'no-store' };
    case 'file':
      return {
        ...always,
        'Content-Type': reply.type,
        'Cache-Control': reply.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
        'Content-Security-Policy': reply.policy ?? "default-src 'none'; frame-ancestors 'none'",
        ...(reply.saveAs !== undefined && { 'Content-Disposition': `attachment; filename="${reply.saveAs}"` }),
      };
  }
}
