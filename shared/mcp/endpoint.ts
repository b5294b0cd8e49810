import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Catalog } from '../contract/catalog.ts';
import { ServiceError } from '../contract/errors.ts';
import { mcpEndpoint } from '../contract/mcp.ts';
import { credentialsOf, headerOf } from '../http/credentials.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { transportable } from '../http/payload.ts';
import { anyOrigin, wireError } from '../http/wire.ts';
import { type Language, languageOf } from '../language/languages.ts';
import { takeSettings } from '../platform/config.ts';
import { withinInvocation } from '../platform/deadline.ts';
import { withLogFields } from '../platform/logContext.ts';
import { logger } from '../platform/logger.ts';
import { Exchange } from './exchange.ts';
import { isObject, messageIn, requestOf } from './message.ts';
import { checkOrigin } from './origin.ts';
import { serve } from './serve.ts';
import { serverOf } from './server.ts';
import { callNamed } from './toolCall.ts';

/**
 * The MCP server as a Lambda handler. A fault of the protocol is answered in the protocol's shape; what keeps a key out,
 * and what fails here, in the shape of every error of the API.
 */
export const mcp: Endpoint = (event, context) => {
  const { requestId } = event.requestContext;
  const fields = { request_id: requestId, function_request_id: context.awsRequestId, route: mcpEndpoint.id };
  return withLogFields(fields, () => withinInvocation(context, () => answer(event)));
};

async function answer(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const startedAt = Date.now();
  const language = languageOf(headerOf(event, 'accept-language'));
  const exchange = new Exchange(event, language, await catalogIn(language));
  const result = await answered(exchange);
  logger.info('call', { status: result.statusCode, duration_ms: Date.now() - startedAt });
  return { ...result, headers: { ...result.headers, ...anyOrigin, 'Access-Control-Expose-Headers': '*' } };
}

async function catalogIn(language: Language): Promise<Catalog> {
  const { default: catalog } = await import(`../../openapi/mcp.${language}.json`, { with: { type: 'json' } });
  return catalog as Catalog;
}

async function answered(exchange: Exchange): Promise<APIGatewayProxyResult> {
  const { event, language, requestId } = exchange;
  try {
    takeSettings(event.stageVariables);
    checkOrigin(event);
    return await transportable(await served(exchange), event);
  } catch (error) {
    const refusal = wireError(error, { language, requestId }, headersOf(exchange));
    if (refusal.statusCode === 500) logger.error('The MCP server failed.', error as Error);
    return refusal;
  }
}

async function served(exchange: Exchange): Promise<APIGatewayProxyResult> {
  const { event } = exchange;
  const message = messageIn(event);
  const isLeftToRest = isOnlyTools(exchange, message) && !(credentialsOf(event) instanceof ServiceError);
  if (!isLeftToRest) await exchange.admit(mcpEndpoint);
  const response = await serve(requestOf(event, message), message, () => serverOf(exchange));
  // The protocol refused what looked like the call of a tool before REST could look at its key.
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

/** Calls of tools are counted by the REST API, everything else here. */
function isOnlyTools(exchange: Exchange, message: unknown): boolean {
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
