import type { CallToolResult } from '@modelcontextprotocol/server';
import { ServiceError } from '../../contract/errors.ts';
import type { ToolCall } from '../../documentation/catalog/tools.ts';
import { wireError } from '../../http/response.ts';
import type { RestAnswer } from '../../http/restClient.ts';
import type { Language } from '../../language/languages.ts';
import { textsOf } from '../../language/text.ts';
import { addLogFields } from '../../platform/logger.ts';
import type { Exchange } from './exchange.ts';
import { isObject } from './incomingRequest.ts';
import { type Arguments, restRequest } from './restRequest.ts';

const texts = textsOf({
  replayed: {
    en: 'Nothing was sent: this is the answer to an earlier identical call. To send the same message again, give a new `idempotency_key`.',
    fr: 'Rien n’a été envoyé : c’est la réponse à un appel identique précédent. Pour renvoyer le même message, donnez une nouvelle `idempotency_key`.',
  },
  retry: { en: 'The same call may succeed in {seconds} s.', fr: 'Le même appel peut réussir dans {seconds} s.' },
  long: {
    en: 'The answer has {size} kB and is not repeated as text: see the structured content.',
    fr: 'La réponse fait {size} ko et n’est pas répétée en texte : voyez le contenu structuré.',
  },
});

/** Lambda's 6 MB leave no room for a large answer twice, as an object and as text, and no model reads that much. */
const maxTextCharacters = 500_000;

/** The REST call behind a tool; undefined when this address offers no such tool. */
export function callNamed({ catalog, tools }: Exchange, name: unknown): ToolCall | undefined {
  return typeof name === 'string' && tools.has(name) ? catalog.calls[name] : undefined;
}

/** Calls the REST API for a tool. A refusal is a tool error that an agent can act on, never an error of the protocol. */
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
    return await exchange.callRest(restRequest(call, given));
  } catch (error) {
    // Arguments that no request can carry are refused after key, scope and rate limit, as in the REST API.
    if (error instanceof ServiceError && error.code !== 'internal_error') await exchange.admit(call);
    throw error;
  }
}

function refusal({ language, requestId }: Exchange, error: unknown): RestAnswer {
  const { statusCode, body, headers = {} } = wireError(error, { language, requestId });
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: statusCode, body, headers: Object.fromEntries(entries) };
}

/** A REST answer as the result of a tool: its body as an object and as text, or the unchanged body of a refusal. */
export function toolResult(call: ToolCall, answer: RestAnswer, language: Language): CallToolResult {
  const isError = answer.status < 200 || answer.status >= 300;
  const body = bodyOf(answer, isError);
  if (isError) return { isError, content: [textBlock(answer.body), ...retryAdvice(answer, language)] };
  const structuredContent = { ...body, ...headerFields(call, answer) };
  return {
    structuredContent,
    content: [textBlock(textOf(structuredContent, language)), ...replayAdvice(answer, language)],
  };
}

/** Throws for an answer in another shape: something in between, such as a firewall, gave it, and not the API. */
function bodyOf({ body, status }: RestAnswer, isError: boolean): Record<string, unknown> {
  const value = parsed(body);
  if (isObject(value) && (!isError || isObject(value.error))) return value;
  throw new ServiceError('internal_error', {
    cause: new Error(`The REST API answered ${status} in an unexpected shape.`),
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const textBlock = (text: string) => ({ type: 'text' as const, text });

function textOf(value: unknown, language: Language): string {
  const text = JSON.stringify(value);
  if (text.length <= maxTextCharacters) return text;
  return texts.long[language].replace('{size}', String(Math.ceil(text.length / 1000)));
}

function headerFields({ answerHeaders }: ToolCall, { headers }: RestAnswer): Record<string, string> {
  const entries = Object.entries(answerHeaders).map(([name, header]) => [name, headers[header]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const replayAdvice = ({ headers }: RestAnswer, language: Language) =>
  headers['idempotent-replay'] === 'true' ? [textBlock(texts.replayed[language])] : [];

/** Says in words what the `Retry-After` header says, since agents see no headers. */
function retryAdvice({ headers }: RestAnswer, language: Language) {
  const seconds = headers['retry-after'];
  return seconds === undefined ? [] : [textBlock(texts.retry[language].replace('{seconds}', seconds))];
}
