import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ServiceError } from '../contract/errors.ts';
import { type Language, languageOf } from '../language/languages.ts';
import type { PageCall, PageReply, PageVerb } from '../pages/call.ts';
import { failurePage, tooLargePage } from '../pages/failure.ts';
import { now } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../platform/deadline.ts';
import { withLogFields } from '../platform/logContext.ts';
import { logger } from '../platform/logger.ts';
import { headerOf } from './credentials.ts';
import { pageHeaders } from './pageHeaders.ts';
import { transportable, worthCompressingPage } from './payload.ts';

export type PageHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Far above what the form of a browser sends, far below what would cost anything to parse. */
const maxFormBytes = 16 * 1024;

/**
 * The two methods of a page as one Lambda handler. Only POST acts; GET and HEAD, which scanners send, never do.
 * It sets no cookie and reads none: a link's token is the whole authority, so a forged request could do nothing that
 * its forger could not do without the person's browser. Neither the path nor the body is logged.
 */
export function page(name: string, verbs: { readonly GET: PageVerb; readonly POST?: PageVerb }): PageHandler {
  return (event, context) => {
    const { requestId } = event.requestContext;
    const fields = { request_id: requestId, function_request_id: context.awsRequestId, page: name };
    return withLogFields(fields, async () => {
      const startedAt = Date.now();
      const language = languageOf(headerOf(event, 'accept-language'));
      const verb = (event.httpMethod === 'POST' ? verbs.POST : undefined) ?? verbs.GET;
      const reply = await withinInvocation(context, () => replyTo(event, verb, language), gatewayMilliseconds);
      logger.info('page', { method: event.httpMethod, status: reply.status, duration_ms: Date.now() - startedAt });
      return transportable(wire(reply, requestId, language), event, worthCompressingPage);
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
    const retryAfterSeconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
    return failurePage(language, event.requestContext.requestId, retryAfterSeconds);
  }
}

function callOf(event: APIGatewayProxyEvent, form: URLSearchParams, language: Language): PageCall {
  const [parameter = ''] = Object.values(event.pathParameters ?? {});
  return {
    actor: { kind: 'person' },
    parameter: decoded(parameter),
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

/** Null when it is larger than a form. A body in another form than a browser's has no fields. */
function formOf(event: APIGatewayProxyEvent): URLSearchParams | null {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > maxFormBytes) return null;
  const type = headerOf(event, 'content-type').split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === 'application/x-www-form-urlencoded' ? body.toString('utf8') : '');
}

function wire(reply: PageReply, requestId: string, language: Language): APIGatewayProxyResult {
  const retry = reply.retryAfterSeconds;
  return {
    statusCode: reply.location === undefined ? reply.status : 303,
    headers: {
      ...pageHeaders(reply.language ?? language, reply),
      ...(reply.location !== undefined && { Location: reply.location }),
      'X-Request-Id': requestId,
      ...(retry === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retry))) }),
    },
    body: reply.document.toString(),
  };
}
