import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import type { ListedPrompt } from '../contract/catalog.ts';
import type { Exchange } from './exchange.ts';
import { callNamed, callTool } from './toolCall.ts';

const about = { name: 'mailroom', title: 'Mailroom', version: '1.0.0' };

/** Our tools ask a client's user for nothing, so that there are no answers of theirs to be checked. */
const noForms = {
  getValidator: () => {
    throw new Error('This server asks for no form.');
  },
};

/** What it says changes with a deployment only, but with the language too: a client may keep it, a shared cache may not. */
const kept = { ttlMs: 300_000, cacheScope: 'private' as const };

/**
 * The MCP server that answers one request. It is the low-level one, which takes schemas as they are: arguments are checked
 * by the REST API and nowhere else, so that a refusal reads the same by either door.
 */
export function serverOf(exchange: Exchange): Server {
  const { catalog } = exchange;
  const server = new Server(about, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: catalog.instructions,
    jsonSchemaValidator: noForms,
    cacheHints: {
      'tools/list': kept,
      'prompts/list': kept,
      'resources/list': kept,
      'resources/templates/list': kept,
      'resources/read': kept,
      'server/discover': kept,
    },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...catalog.tools] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const call = callNamed(exchange, params.name);
    if (!call) throw invalid(`Unknown tool: ${params.name}`);
    return callTool(exchange, params.name, call, params.arguments ?? {});
  });
  addReference(server, exchange);
  addPrompts(server, exchange);
  return server;
}

function addReference(server: Server, { catalog: { reference } }: Exchange): void {
  const { text, chapters, ...listed } = reference;
  const { places, ...template } = chapters;
  const resource = { ...listed, size: Buffer.byteLength(text) };
  server.setRequestHandler('resources/list', () => ({ resources: [resource] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const chapter = uri.startsWith(`${reference.uri}/`) ? uri.slice(reference.uri.length + 1) : null;
    const place = chapter !== null && Object.hasOwn(places, chapter) ? places[chapter] : undefined;
    if (uri !== reference.uri && !place) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: reference.mimeType, text: place ? text.slice(...place) : text }] };
  });
}

function addPrompts(server: Server, { catalog: { prompts } }: Exchange): void {
  const listed = prompts.map(({ text: _, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] }));
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt) throw invalid(`Unknown prompt: ${params.name}`);
    const text = filled(prompt, params.arguments ?? {});
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function filled(prompt: ListedPrompt, given: Readonly<Record<string, string>>): string {
  const missing = prompt.arguments.filter(({ name, required }) => required && !given[name]).map(({ name }) => name);
  if (missing.length > 0) throw invalid(`Missing arguments: ${missing.join(', ')}`);
  const names = prompt.arguments.map(({ name }) => name);
  return names.reduce((text, name) => text.replace(`{${name}}`, () => given[name] ?? ''), prompt.text);
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
