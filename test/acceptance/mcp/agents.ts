import { Client as SecondClient, StreamableHTTPClientTransport as SecondTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Language } from '../../../shared/language/languages.ts';

interface Place {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of the address: `?toolsets=all`. */
  readonly query?: string;
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
  readonly content: any;
  readonly texts: readonly string[];
}

const about = { name: 'test', version: '1.0.0' };

const requestInit = (apiKey: string, language: Language) => ({
  headers: { Authorization: `Bearer ${apiKey}`, 'Accept-Language': language },
});

const urlOf = ({ baseUrl, query = '' }: Place) => new URL(`${baseUrl}/api/mcp${query}`);

/** The official client of the first generation, which starts with `initialize`. */
async function firstAgent(place: Place, language: Language) {
  const client = new FirstClient(about);
  await client.connect(new FirstTransport(urlOf(place), { requestInit: requestInit(place.apiKey, language) }) as never);
  return client;
}

/** The official client of the second generation, which starts with `server/discover` and has no fallback here. */
async function secondAgent(place: Place, language: Language) {
  const client = new SecondClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new SecondTransport(urlOf(place), { requestInit: requestInit(place.apiKey, language) }));
  return client;
}

const generations = { first: firstAgent, second: secondAgent } as const;
export type Generation = keyof typeof generations;
export const generationNames = Object.keys(generations) as Generation[];

/** An agent with either client. */
export async function connectAgent(generation: Generation, place: Place, language: Language = 'en') {
  const client = (await generations[generation](place, language)) as SecondClient;
  return {
    client,
    use: async (name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> => {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: given });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      return { isError, content: isError ? JSON.parse(texts[0] ?? '') : structuredContent, texts };
    },
    close: () => client.close(),
  };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
  readonly body: any;
}

/** One raw POST. `headers` that are undefined are left out. */
export async function post(
  place: Place,
  message: unknown,
  options: {
    raw?: string | Uint8Array<ArrayBuffer>;
    headers?: Record<string, string | undefined>;
    method?: string;
  } = {},
): Promise<HttpAnswer> {
  const headers = Object.entries({
    Authorization: `Bearer ${place.apiKey}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...options.headers,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const method = options.method ?? 'POST';
  const body = options.raw ?? JSON.stringify(message);
  const response = await fetch(urlOf(place), { method, headers, ...(method === 'POST' && { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The call of a tool as a message, and its result or error. */
export const toolCall = (name: string, given: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});
