import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { parseWebOrigin } from '../domain/workspace/workspace.ts';
import { type Language, languageOf } from '../language/languages.ts';
import { brandSource, pageStyle } from '../pages/assets.ts';
import type { PageCall, PageReply, PageVerb } from '../pages/call.ts';
import { failurePage, tooLargePage } from '../pages/layout.ts';
import { now, stopwatch } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../platform/deadline.ts';
import { logger, withLogFields } from '../platform/logger.ts';
import { headerOf } from './authenticate.ts';
import { policyReporting } from './policyReport.ts';
import { cacheable, knownError, transportable } from './response.ts';

export type PageHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Far above what a browser sends for our forms, and cheap to parse. */
const maxFormBytes = 16 * 1024;

/** Pages are compressed earlier than answers of the API: people often read them over slow connections. */
const compressedFromCharacters = 50_000;

/**
 * The two methods of a page as one Lambda handler. Only POST changes anything, since mail scanners send GET and HEAD.
 * There is no cookie to forge a request with: the token in the link is the whole authority. Path and body are not logged.
 */
export function page(name: string, verbs: { readonly GET: PageVerb; readonly POST?: PageVerb }): PageHandler {
  return (event, context) => {
    const { requestId } = event.requestContext;
    const fields = { request_id: requestId, function_request_id: context.awsRequestId, page: name };
    return withLogFields(fields, async () => {
      const elapsed = stopwatch();
      const language = languageOf(headerOf(event, 'accept-language'));
      const verb = (event.httpMethod === 'POST' ? verbs.POST : undefined) ?? verbs.GET;
      const reply = await withinInvocation(context, () => replyTo(event, verb, language), gatewayMilliseconds);
      logger.info('page', { method: event.httpMethod, status: reply.status, duration_ms: Math.round(elapsed()) });
      const result = wirePage(reply, event, language);
      return reply.cacheSeconds
        ? cacheable(result, event, reply.cacheSeconds)
        : transportable(result, event, compressedFromCharacters);
    });
  };
}

async function replyTo(event: APIGatewayProxyEvent, verb: PageVerb, language: Language): Promise<PageReply> {
  try {
    takeSettings(event.stageVariables);
    const form = formOf(event);
    if (!form) return tooLargePage(language);
    return await verb(callOf(event, form, language));
  } catch (error) {
    logger.error('The page failed.', error as Error);
    return failurePage(language, event.requestContext.requestId, knownError(error).retryAfterSeconds);
  }
}

function callOf(event: APIGatewayProxyEvent, form: URLSearchParams, language: Language): PageCall {
  const { chapter = '', ...others } = event.pathParameters ?? {};
  const [parameter = ''] = Object.values(others);
  return {
    actor: { kind: 'person' },
    parameter: decoded(parameter),
    chapter: decoded(chapter),
    form,
    language,
    now: now(),
    requestId: event.requestContext.requestId,
    source: event.requestContext.identity.sourceIp,
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The fields of a posted form, empty for a body of another type; null when the body is too large. */
function formOf(event: APIGatewayProxyEvent): URLSearchParams | null {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > maxFormBytes) return null;
  const type = headerOf(event, 'content-type').split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === 'application/x-www-form-urlencoded' ? body.toString('utf8') : '');
}

function wirePage(reply: PageReply, event: APIGatewayProxyEvent, language: Language): APIGatewayProxyResult {
  const { retryAfterSeconds } = reply;
  return {
    statusCode: reply.location === undefined ? reply.status : 303,
    headers: {
      ...pageHeaders(reply.language ?? language, reply, event),
      ...('type' in reply.document && { 'Content-Type': `${reply.document.type}; charset=utf-8` }),
      ...(reply.location !== undefined && { Location: reply.location }),
      'X-Request-Id': event.requestContext.requestId,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
    },
    body: 'text' in reply.document ? reply.document.text : reply.document.toString(),
  };
}

/**
 * The address of a page holds a token: it must reach no other site as a referrer, no cache and no search index. Frames
 * are limited by CSP (Level 3 section 6.4.2), with X-Frame-Options for older browsers.
 */
function pageHeaders(
  language: Language,
  {
    frameOrigins = [],
    sources,
    brand,
    formTarget,
  }: Pick<PageReply, 'frameOrigins' | 'sources' | 'brand' | 'formTarget'>,
  event: Pick<APIGatewayProxyEvent, 'path'>,
): Record<string, string> {
  const ancestors = frameOrigins.map(parseWebOrigin).filter((origin) => origin !== null);
  const target = formTarget === undefined ? null : parseWebOrigin(formTarget);
  const framed = ancestors.length > 0;
  const reporting = policyReporting(event);
  const policy = [
    "default-src 'none'",
    `style-src ${[sources?.style ?? pageStyle.source, brandSource(brand)].filter(Boolean).join(' ')}`,
    ...(sources ? [`script-src ${sources.script}`] : []),
    ...(sources?.connections ? [`connect-src ${sources.connections}`] : []),
    'img-src data:',
    // Browsers also check where the answer to a form redirects to (CSP Level 3 section 6.4.1).
    `form-action 'self'${target ? ` ${target}` : ''}`,
    "base-uri 'none'",
    ...reporting.directives,
    `frame-ancestors ${framed ? ancestors.join(' ') : "'none'"}`,
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    Vary: 'Accept-Language',
    'Content-Security-Policy': policy.join('; '),
    ...reporting.headers,
    ...(framed ? {} : { 'X-Frame-Options': 'DENY' }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': framed ? 'cross-origin' : 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Strict-Transport-Security': 'max-age=31536000',
  };
}
