import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolCall } from '../contract/catalog.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Language } from '../language/languages.ts';
import { textsOf } from '../language/text.ts';
import { isObject } from './message.ts';
import type { RestAnswer } from './restClient.ts';

const texts = textsOf({
  replayed: {
    en: 'Nothing was sent: this is the answer of an earlier identical call. To send the same message once more, give an `idempotency_key` of its own.',
    fr: 'Rien n’a été envoyé : c’est la réponse d’un appel identique précédent. Pour renvoyer le même message, donnez une `idempotency_key` nouvelle.',
  },
  retry: { en: 'The same call may succeed in {seconds} s.', fr: 'Le même appel peut réussir dans {seconds} s.' },
  long: {
    en: 'The answer has {size} kB and is not repeated as text: see the structured content.',
    fr: 'La réponse fait {size} ko et n’est pas répétée en texte : voyez le contenu structuré.',
  },
});

/** A response of 6 MB leaves room for an answer once; what a model reads as text is far smaller. */
const longestTextCharacters = 500_000;

/** What a REST answer is to an agent: its body as an object and as text; a refusal is an error of the tool, word for word. */
export function toolResult(call: ToolCall, answer: RestAnswer, language: Language): CallToolResult {
  const isError = answer.status < 200 || answer.status >= 300;
  const body = objectIn(answer, isError);
  if (isError) return { isError, content: [textBlock(answer.body), ...retryAdvice(answer, language)] };
  const structuredContent = { ...body, ...joinedHeaders(call, answer) };
  return {
    structuredContent,
    content: [textBlock(textOf(structuredContent, language)), ...replayAdvice(answer, language)],
  };
}

/** What stands in between, such as a firewall, may answer in a shape of its own: nobody is to take that for the API's word. */
function objectIn({ body, status }: RestAnswer, isError: boolean): Record<string, unknown> {
  const value = parsed(body);
  if (isObject(value) && (!isError || isObject(value.error))) return value;
  throw new ServiceError('internal_error', {
    cause: new Error(`The REST API answered ${status} in no shape of its own.`),
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
  if (text.length <= longestTextCharacters) return text;
  return texts.long[language].replace('{size}', String(Math.ceil(text.length / 1000)));
}

function joinedHeaders({ answerHeaders }: ToolCall, { headers }: RestAnswer): Record<string, string> {
  const there = Object.entries(answerHeaders).map(([name, header]) => [name, headers[header]] as const);
  return Object.fromEntries(there.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const replayAdvice = ({ headers }: RestAnswer, language: Language) =>
  headers['idempotent-replay'] === 'true' ? [textBlock(texts.replayed[language])] : [];

/** Agents do not see headers. */
function retryAdvice({ headers }: RestAnswer, language: Language) {
  const seconds = headers['retry-after'];
  return seconds === undefined ? [] : [textBlock(texts.retry[language].replace('{seconds}', seconds))];
}
