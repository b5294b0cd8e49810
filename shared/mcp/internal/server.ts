import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ListedPrompt } from '../../documentation/catalog/guide.ts';
import type { Exchange } from './exchange.ts';
import { isObject } from './incomingRequest.ts';
import { callNamed, callTool } from './toolCall.ts';

const serverInfo = { name: 'mailroom', title: 'Mailroom', version: '1.0.0' };

/** Our tools never ask the client's user for input, so that no such input is ever validated. */
const noElicitation = {
  getValidator: () => {
    throw new Error('This server requests no input.');
  },
};

/** The lists change only with a deployment. They depend on the language, so that a shared cache must not keep them. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'private' as const };

/** The only protocol revision that allows several messages in an array; the next one removed them. */
const revisionWithBatches = '2025-03-26';

/**
 * Answers one POST in the protocol generation that the client uses: the one with `initialize` (2025-03-26 to
 * 2025-11-25), or the one in which every request names its client (2026-07-28). Both are stateless, and no answer is a
 * stream. `message` is the parsed body, undefined when it is not JSON.
 */
export async function serve(request: Request, message: unknown, makeServer: () => Server): Promise<Response> {
  if (Array.isArray(message)) {
    const revision = request.headers.get('mcp-protocol-version') ?? revisionWithBatches;
    if (revision !== revisionWithBatches) return refused(400, INVALID_REQUEST, `Revision ${revision} has no batches.`);
    if (hasRepeatedId(message)) return refused(400, INVALID_REQUEST, 'Two requests of the batch have the same id.');
  }
  if (isObject(message) && message.method === 'subscriptions/listen' && message.id !== undefined) {
    return refused(404, METHOD_NOT_FOUND, 'Subscriptions are not supported: no stream is opened.', message.id);
  }
  if (await isLegacyRequest(request, message)) return serveLegacy(request, message, makeServer());
  const { fetch } = createMcpHandler(makeServer, { legacy: 'reject' });
  return fetch(request, { parsedBody: message });
}

async function serveLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, message === undefined ? {} : { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Answers are matched to requests by id: of two requests with the same id, one would get no answer. */
function hasRepeatedId(messages: readonly unknown[]): boolean {
  const ids = messages
    .filter(isObject)
    .filter(({ id, method }) => method !== undefined && id !== undefined)
    .map(({ id }) => id);
  return new Set(ids).size < ids.length;
}

function refused(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}

/**
 * The MCP server for one request. The low-level class takes our JSON Schemas as they are and checks no arguments: the
 * REST API alone does, so that its refusals are the same for both.
 */
export function serverOf(exchange: Exchange): Server {
  const { catalog } = exchange;
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: catalog.instructions,
    jsonSchemaValidator: noElicitation,
    cacheHints: {
      'tools/list': cacheHint,
      'prompts/list': cacheHint,
      'resources/list': cacheHint,
      'resources/templates/list': cacheHint,
      'resources/read': cacheHint,
      'server/discover': cacheHint,
    },
  });
  server.setRequestHandler('tools/list', () => ({
    tools: catalog.tools.filter(({ name }) => exchange.tools.has(name)),
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const call = callNamed(exchange, params.name);
    if (!call) throw invalidParams(`Unknown tool: ${params.name}`);
    return callTool(exchange, params.name, call, params.arguments ?? {});
  });
  addReference(server, exchange);
  addPrompts(server, exchange);
  return server;
}

function addReference(server: Server, { catalog: { reference } }: Exchange): void {
  const { text, chapters, ...listed } = reference;
  const { ranges, ...template } = chapters;
  const resource = { ...listed, size: Buffer.byteLength(text) };
  server.setRequestHandler('resources/list', () => ({ resources: [resource] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const chapter = uri.startsWith(`${reference.uri}/`) ? uri.slice(reference.uri.length + 1) : null;
    const range = chapter !== null && Object.hasOwn(ranges, chapter) ? ranges[chapter] : undefined;
    if (uri !== reference.uri && !range) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: reference.mimeType, text: range ? text.slice(...range) : text }] };
  });
}

function addPrompts(server: Server, { catalog: { prompts } }: Exchange): void {
  const listed = prompts.map(({ text: _, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] }));
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt) throw invalidParams(`Unknown prompt: ${params.name}`);
    const text = filled(prompt, params.arguments ?? {});
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function filled(prompt: ListedPrompt, values: Readonly<Record<string, string>>): string {
  const missing = prompt.arguments.filter(({ name, required }) => required && !values[name]).map(({ name }) => name);
  if (missing.length > 0) throw invalidParams(`Missing arguments: ${missing.join(', ')}`);
  const names = prompt.arguments.map(({ name }) => name);
  return names.reduce((text, name) => text.replace(`{${name}}`, () => values[name] ?? ''), prompt.text);
}

const invalidParams = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
