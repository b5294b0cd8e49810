import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { mcpEndpoint } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { type Catalog, catalogIn } from '../documentation/catalog/catalog.ts';
import { credentialsOf, headerOf } from '../http/authenticate.ts';
import type { HttpHandler } from '../http/endpoint.ts';
import { anyOrigin, transportable, wireError } from '../http/response.ts';
import { type Language, languageOf } from '../language/languages.ts';
import { stopwatch } from '../platform/clock.ts';
import { takeSettings } from '../platform/config.ts';
import { withinInvocation } from '../platform/deadline.ts';
import { logger, withLogFields } from '../platform/logger.ts';
import { Exchange } from './internal/exchange.ts';
import { checkOrigin, isObject, messageIn, requestOf } from './internal/incomingRequest.ts';
import { serve, serverOf } from './internal/server.ts';
import { callNamed } from './internal/toolCall.ts';

/**
 * The MCP server as a Lambda handler. Errors of the protocol are answered in its own shape; a refused key and internal
 * errors in the shape of every error of the API.
 */
export const mcp: HttpHandler = (event, context) => {
  const { requestId } = event.requestContext;
  const fields = { request_id: requestId, function_request_id: context.awsRequestId, route: mcpEndpoint.id };
  return withLogFields(fields, () => withinInvocation(context, () => answer(event)));
};

async function answer(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const elapsed = stopwatch();
  const language = languageOf(headerOf(event, 'accept-language'));
  const result = await answerOrError(new Exchange(event, language, catalogOf(language)));
  logger.info('call', { status: result.statusCode, duration_ms: Math.round(elapsed()) });
  return { ...result, headers: { ...result.headers, ...anyOrigin, 'Access-Control-Expose-Headers': '*' } };
}

const catalogs = new Map<Language, Catalog>();

function catalogOf(language: Language): Catalog {
  const catalog = catalogs.get(language) ?? catalogIn(language);
  catalogs.set(language, catalog);
  return catalog;
}

async function answerOrError(exchange: Exchange): Promise<APIGatewayProxyResult> {
  const { event, language, requestId } = exchange;
  try {
    takeSettings(event.stageVariables);
    checkOrigin(event);
    return await transportable(await protocolAnswer(exchange), event);
  } catch (error) {
    const refusal = wireError(error, { language, requestId }, headersOf(exchange));
    if (refusal.statusCode >= 500) logger.error('The MCP server failed.', error as Error);
    return refusal;
  }
}

async function protocolAnswer(exchange: Exchange): Promise<APIGatewayProxyResult> {
  const { event } = exchange;
  const message = messageIn(event);
  // Refuses an address that is not understood, whatever the message.
  exchange.tools;
  const isCheckedByRest = isToolCallsOnly(exchange, message) && !(credentialsOf(event) instanceof ServiceError);
  if (!isCheckedByRest) await exchange.admit(mcpEndpoint);
  const response = await serve(requestOf(event, message), message, () => serverOf(exchange));
  // The protocol may refuse a tool call before the REST API checks the key.
  if (!exchange.isCounted) await exchange.admit(mcpEndpoint);
  const { refusal, unauthorised } = exchange;
  if (refusal) throw refusal;
  const headers = headersOf(exchange);
  if (unauthorised) {
    return { statusCode: 401, headers: { ...headers, 'WWW-Authenticate': 'Bearer' }, body: unauthorised.body };
  }
  const type = response.headers.get('content-type');
  return {
    statusCode: response.status,
    headers: { ...headers, ...(type && { 'Content-Type': type }) },
    body: await response.text(),
  };
}

/** Whether the message only calls tools: the REST API then checks the key and counts the call. */
function isToolCallsOnly(exchange: Exchange, message: unknown): boolean {
  const messages = Array.isArray(message) ? message : [message];
  return messages.length > 0 && messages.every((one) => isToolCall(exchange, one));
}

function isToolCall(exchange: Exchange, message: unknown): boolean {
  if (!isObject(message) || message.method !== 'tools/call' || message.id === undefined) return false;
  return isObject(message.params) && callNamed(exchange, message.params.name) !== undefined;
}

const headersOf = (exchange: Exchange): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': exchange.requestId,
  'Content-Language': exchange.language,
  ...exchange.rateHeaders(),
});
