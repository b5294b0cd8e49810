import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ConsoleReply, ConsoleRequest } from '../../console/call.ts';
import { answer } from '../../console/door/answer.ts';
import { languageOfCookies } from '../../console/door/cookies.ts';
import { failedPage, tooLargePage } from '../../console/door/plain.ts';
import { type Language, languageOf } from '../../language/languages.ts';
import { now } from '../../platform/clock.ts';
import { publicUrl, takeSettings } from '../../platform/config.ts';
import { gatewayMilliseconds, withinInvocation } from '../../platform/deadline.ts';
import { withLogFields } from '../../platform/logContext.ts';
import { logger } from '../../platform/logger.ts';
import { headerOf } from '../credentials.ts';
import { transportable } from '../payload.ts';
import { consoleHeaders } from './headers.ts';
import { type Posted, postedIn } from './posted.ts';

/** Tables shrink to a tenth, and who reads them may sit behind a telephone. */
const worthCompressing = 2_000;

/** Every page of the console as one Lambda handler. Neither path, query nor body is logged. */
export async function consoleDoor(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  const { requestId } = event.requestContext;
  const fields = { request_id: requestId, function_request_id: context.awsRequestId, page: 'console' };
  return withLogFields(fields, async () => {
    const startedAt = Date.now();
    const result = await withinInvocation(context, () => resultOf(event), gatewayMilliseconds);
    const duration_ms = Date.now() - startedAt;
    logger.info('console', { method: event.httpMethod, status: result.statusCode, duration_ms });
    return transportable(result, event, worthCompressing);
  });
}

async function resultOf(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  takeSettings(event.stageVariables);
  // One origin for cookies and forms, whatever other names lead here.
  const elsewhere = otherHost(event);
  if (elsewhere) return { statusCode: 303, headers: { Location: elsewhere, 'Cache-Control': 'no-store' }, body: '' };
  const cookies = cookiesOf(headerOf(event, 'cookie'));
  const language = languageOf(languageOfCookies(cookies) ?? headerOf(event, 'accept-language'));
  return wire(await replyTo(event, cookies, language), language, event.requestContext.requestId);
}

async function replyTo(
  event: APIGatewayProxyEvent,
  cookies: ReadonlyMap<string, string>,
  language: Language,
): Promise<ConsoleReply> {
  try {
    const posted = await postedIn(event);
    return posted ? await answer({ ...requestOf(event, cookies, language), ...posted }) : tooLargePage(language);
  } catch (error) {
    logger.error('The console failed.', error as Error);
    return failedPage(language, event.requestContext.requestId);
  }
}

function otherHost(event: APIGatewayProxyEvent): string | null {
  const { host } = new URL(publicUrl());
  if (event.httpMethod === 'POST' || headerOf(event, 'host') === host) return null;
  const query = queryOf(event).toString();
  return `${publicUrl()}${event.path}${query === '' ? '' : `?${query}`}`;
}

function requestOf(
  event: APIGatewayProxyEvent,
  cookies: ReadonlyMap<string, string>,
  language: Language,
): Omit<ConsoleRequest, keyof Posted> {
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

/** The first of a name counts (RFC 6265 section 5.4: the one of the longest path). */
function cookiesOf(header: string): Map<string, string> {
  const pairs = header.split(';').map((part) => part.trim().split('='));
  const cookies = new Map<string, string>();
  for (const [name = '', ...value] of pairs) if (!cookies.has(name)) cookies.set(name, value.join('='));
  return cookies;
}

function wire(reply: ConsoleReply, language: Language, requestId: string): APIGatewayProxyResult {
  const cookies = reply.kind === 'file' ? [] : (reply.cookies ?? []);
  const common = {
    headers: { ...consoleHeaders(reply, language), 'X-Request-Id': requestId },
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
