import { jest } from '@jest/globals';
import { catalogIn } from '../../../../shared/documentation/catalog/catalog.ts';
import type { Exchange } from '../../../../shared/mcp/internal/exchange.ts';
import { requestOf } from '../../../../shared/mcp/internal/incomingRequest.ts';
import { serve, serverOf } from '../../../../shared/mcp/internal/server.ts';

/** The parts of an exchange that are used before a tool is called. */
const catalog = catalogIn('en');
const tools = new Set(catalog.tools.map(({ name }) => name));
const exchange = { catalog, tools, language: 'en' } as unknown as Exchange;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const list = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });

describe.each([
  ['first', list({}), {}],
  ['second', list({ _meta: meta }), { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }],
])('a request of the %s generation', (_, message, own) => {
  it('is answered as JSON, and nothing is written to the console', async () => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => jest.spyOn(console, name));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...own };
    const request = requestOf({ headers } as never, message);
    const response = await serve(request, message, () => serverOf(exchange));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({
      result: { tools: exchange.catalog.tools.map(({ name }) => ({ name })) },
    });
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});
