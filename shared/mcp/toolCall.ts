import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolCall } from '../contract/catalog.ts';
import { ServiceError } from '../contract/errors.ts';
import { wireError } from '../http/wire.ts';
import { addLogFields } from '../platform/logContext.ts';
import type { Exchange } from './exchange.ts';
import type { RestAnswer } from './restClient.ts';
import { type Arguments, restRequest } from './restRequest.ts';
import { toolResult } from './toolResult.ts';

/** The call behind a tool; undefined for a name that none has. */
export function callNamed({ catalog }: Exchange, name: unknown): ToolCall | undefined {
  return typeof name === 'string' && Object.hasOwn(catalog.calls, name) ? catalog.calls[name] : undefined;
}

/** Calls the REST API for a tool. Whatever it refuses is a result that an agent can act on, and no fault of the protocol. */
export async function callTool(
  exchange: Exchange,
  name: string,
  call: ToolCall,
  given: Arguments,
): Promise<CallToolResult> {
  addLogFields({ tool: name });
  try {
    return toolResult(call, await answerTo(exchange, call, given), exchange.language);
  } catch (error) {
    return toolResult(call, refusal(exchange, error), exchange.language);
  }
}

async function answerTo(exchange: Exchange, call: ToolCall, given: Arguments): Promise<RestAnswer> {
  try {
    return await exchange.ask(restRequest(call, given));
  } catch (error) {
    // What no request can carry is refused after key, scope and rate, as REST refuses what it can read.
    if (error instanceof ServiceError && error.code !== 'internal_error') await exchange.admit(call);
    throw error;
  }
}

function refusal({ language, requestId }: Exchange, error: unknown): RestAnswer {
  const { statusCode, body, headers = {} } = wireError(error, { language, requestId });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: statusCode, body, headers: Object.fromEntries(named) };
}
