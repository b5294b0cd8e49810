import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isObject } from './message.ts';

/** The one revision of the protocol in which several messages may come as an array (its successor took that away). */
const revisionWithBatches = '2025-03-26';

/**
 * Answers one POST as the protocol wants it, in its generation: that of `initialize` (2025-03-26 to 2025-11-25), or that
 * in which each request says who asks (2026-07-28). Both are stateless, and no answer is a stream, since nothing is told
 * before the result. `message` is what the body holds, undefined when it is no JSON.
 */
export async function serve(request: Request, message: unknown, makeServer: () => Server): Promise<Response> {
  if (Array.isArray(message)) {
    const revision = request.headers.get('mcp-protocol-version') ?? revisionWithBatches;
    if (revision !== revisionWithBatches) return refused(400, INVALID_REQUEST, `Revision ${revision} has no batches.`);
    if (hasRepeatedId(message)) return refused(400, INVALID_REQUEST, 'Two requests of the batch have the same id.');
  }
  if (isObject(message) && message.method === 'subscriptions/listen' && message.id !== undefined)
    return refused(404, METHOD_NOT_FOUND, 'Nothing can be subscribed to: no stream is opened.', message.id);
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

/** Answers are told apart by the ids of their requests: with two of the same, one would never come. */
function hasRepeatedId(messages: readonly unknown[]): boolean {
  const ids = messages.filter(isObject).flatMap(({ id, method }) => (method === undefined ? [] : [id]));
  const given = ids.filter((id) => id !== undefined);
  return new Set(given).size < given.length;
}

function refused(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
