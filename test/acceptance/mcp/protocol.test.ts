import { request } from 'node:http';
import { createKeys, type Keys } from '../../contract/world.ts';
import { call, eventually } from '../client.ts';
import { inbox } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { connectAgent, generationNames, post, toolCall } from './agents.ts';

let service: TestService;
let keys: Keys;
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '300' } });
  keys = await createKeys(service, service.workspaceId);
});
afterAll(() => service.stop());

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list' };

/** In the second generation, every message names its client, and headers repeat fields of the body. */
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: { ...params, _meta: meta },
});
const modernHeaders = (method: string) => ({ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method });

describe('POST /api/mcp', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('supports %s, without a session', async (revision) => {
    const answer = await post(service, initialize(revision));
    expect([answer.status, answer.body.result.protocolVersion]).toEqual([200, revision]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    const next = await post(service, list, { headers: { 'MCP-Protocol-Version': revision } });
    expect(next.body.result.tools).toHaveLength(13);
  });

  it('supports 2026-07-28, whose requests are self-contained', async () => {
    const discovered = await post(service, modern('server/discover'), { headers: modernHeaders('server/discover') });
    expect(discovered.status).toBe(200);
    expect(discovered.body.result).toMatchObject({ supportedVersions: ['2026-07-28'], cacheScope: 'private' });
    const answer = await post(service, modern('tools/list'), { headers: modernHeaders('tools/list') });
    expect(answer.body.result.tools).toHaveLength(13);
  });

  it('answers in the language of the caller, in lists of tools and in refusals', async () => {
    const headers = { 'Accept-Language': 'fr-FR,fr;q=0.9,en;q=0.8' };
    const listed = await post(service, list, { headers });
    expect(listed.headers.get('content-language')).toBe('fr');
    expect(listed.body.result.tools[0]).toMatchObject({ name: 'get_account', title: 'Compte de la clé' });
    const refused = await post(service, toolCall('get_email', { id: 'email_none' }), { headers });
    expect(JSON.parse(refused.body.result.content[0].text).message).toBe(
      'Aucun e-mail n’a cet identifiant dans cet espace.',
    );
  });

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])(
    'is the only method: %s is refused in the usual error shape',
    async (method) => {
      const answer = await post(service, undefined, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      if (method !== 'HEAD') expect(answer.body).toMatchObject({ name: 'validation_error', statusCode: 405 });
    },
  );

  it('may be called by scripts of any web page that has a key', async () => {
    const preflight = await post(service, undefined, { method: 'OPTIONS' });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    for (const origin of ['https://chat.example.com', 'http://localhost:6274', 'vscode-webview://1a2b', 'null']) {
      const answer = await post(service, list, { headers: { Origin: origin } });
      expect([origin, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([origin, 200, '*']);
    }
  });
});

describe('a key', () => {
  const messages = {
    'a list': list,
    'a tool': toolCall('get_account'),
    'a tool that is refused before it is called': toolCall('get_email'),
    'a notification': { jsonrpc: '2.0', method: 'x' },
  };
  const given = (): [string, Record<string, string | undefined>, string][] => [
    ['missing', { Authorization: undefined }, 'missing_api_key'],
    ['of another scheme', { Authorization: 'Basic YTpi' }, 'invalid_api_key'],
    ['in both headers', { 'X-Api-Key': service.apiKey }, 'invalid_api_key'],
    ['malformed', { Authorization: 'Bearer nothing' }, 'invalid_api_key'],
    ['unknown', { Authorization: `Bearer ${keys.unknown}` }, 'invalid_api_key'],
    ['revoked', { Authorization: `Bearer ${keys.revoked}` }, 'revoked_api_key'],
  ];

  it.each(Object.entries(messages))('that is not good is refused with 401 in our shape: %s', async (_, message) => {
    for (const [what, headers, code] of given()) {
      const answer = await post(service, message, { headers });
      expect([what, answer.status, answer.body?.name]).toEqual([what, 401, code]);
      expect([what, answer.headers.get('www-authenticate')]).toEqual([what, 'Bearer']);
    }
  });

  it('may come in X-Api-Key', async () => {
    const headers = { Authorization: undefined, 'X-Api-Key': service.apiKey };
    expect((await post(service, toolCall('get_account'), { headers })).body.result.structuredContent.object).toBe(
      'account',
    );
  });
});

describe('the rate limit of a key', () => {
  const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

  it('counts one call for each request, by the REST API or by the server itself', async () => {
    const messages = [
      list,
      toolCall('get_account'),
      toolCall('get_email', {}),
      toolCall('nothing'),
      toolCall('get_account', []),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ];
    // A minute may end in between: then the second round counts.
    const counted = async () => {
      const first = remaining(await post(service, list));
      const steps: number[] = [];
      for (const message of messages) steps.push(remaining(await post(service, message)));
      return steps.map((step) => first - step);
    };
    const expected = messages.map((_, index) => index + 1);
    const told = await counted();
    expect(told.at(-1) === messages.length ? told : await counted()).toEqual(expected);
  });

  it('refuses a list with 429, and a tool with the refusal of the REST API', async () => {
    const { createKey } = await import('../../../shared/services/keys.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { scopeNames } = await import('../../../shared/contract/scopes.ts');
    const { key } = await createKey(operatorContext(service.workspaceId), { name: 'Busy', scopes: scopeNames });
    const place = { ...service, apiKey: key };
    // A minute may end meanwhile: then the next one is filled.
    const [tool, listed] = await eventually(async () => {
      const rest = await Promise.all(Array.from({ length: 50 }, () => call(place, 'GET', '/api/v1/me')));
      if (rest.every(({ status }) => status === 200)) return null;
      const answers = [await post(place, toolCall('get_account')), await post(place, list)] as const;
      return answers[0].body.result.isError && answers[1].status === 429 && answers;
    });
    expect(listed.body.name).toBe('rate_limit_exceeded');
    expect(Number(listed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(tool.status).toBe(200);
    const [refusal, advice] = tool.body.result.content;
    expect(JSON.parse(refusal.text)).toMatchObject({ name: 'rate_limit_exceeded', statusCode: 429 });
    expect(advice.text).toMatch(/^The same call may succeed in \d+ s\.$/);
    expect(Number(tool.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a host that is not this machine', () => {
  /** `fetch` overwrites the header Host. */
  const withHost = (host: string, origin?: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = {
        Host: host,
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(origin !== undefined && { Origin: origin }),
      };
      const outgoing = request(`${service.baseUrl}/api/mcp`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.once('error', reject);
      outgoing.end(JSON.stringify(list));
    });

  it.each([
    'attacker.example',
    'attacker.example:8787',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
    '@',
    '169.254.1.1',
  ])('is refused, as a page is whose name leads here: %s', async (host) => {
    expect(await withHost(host, `http://${host}`)).toBe(403);
  });

  it.each(['localhost:1', '127.0.0.1', '[::1]:8787', 'host.docker.internal:8787'])(
    'is accepted as %s',
    async (host) => {
      expect(await withHost(host)).toBe(200);
    },
  );

  it.each(['attacker', 'http://a b', 'http://a/path', '<script>'])('refuses an invalid origin: %s', async (origin) => {
    expect(await withHost('localhost', origin)).toBe(403);
  });
});

describe('a repeated send_email', () => {
  const message = (to: string) => ({ from: 'hello@example.com', to, subject: 'Once', text: 'Only once.' });

  it('without a key sends one email, and says so', async () => {
    const given = message('once@example.net');
    const [first, second] = [
      await post(service, toolCall('send_email', given)),
      await post(service, toolCall('send_email', given, 2)),
    ];
    expect(second?.body.result.structuredContent).toEqual({
      ...first?.body.result.structuredContent,
      idempotent_replay: 'true',
    });
    expect(second?.body.result.content[1].text).toMatch(/^Nothing was sent/);
    expect(await inbox(service, 'once@example.net')).toHaveLength(1);
  });

  it('with keys sends one email for each key, and refuses a key with another message', async () => {
    const given = message('twice@example.net');
    for (const key of ['one', 'two', 'two']) {
      const answer = await post(service, toolCall('send_email', { ...given, idempotency_key: key }));
      expect(answer.body.result.isError).toBeUndefined();
    }
    expect(await inbox(service, 'twice@example.net')).toHaveLength(2);
    const other = await post(service, toolCall('send_email', { ...given, subject: 'Else', idempotency_key: 'one' }));
    expect(JSON.parse(other.body.result.content[0].text).name).toBe('idempotency_key_reused');
  });

  it('several times in parallel sends one email', async () => {
    const given = message('race@example.net');
    await Promise.all(Array.from({ length: 5 }, () => post(service, toolCall('send_email', given))));
    expect(await inbox(service, 'race@example.net')).toHaveLength(1);
  });
});

describe('an invalid message', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const bodies: [string, string | Uint8Array<ArrayBuffer>, number][] = [
    ['nothing', '', 400],
    ['no JSON', '{"jsonrpc":', 400],
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['null', 'null', 400],
    ['a number', '5', 400],
    ['a text', '"tools/list"', 400],
    ['an empty object', '{}', 400],
    ['an empty batch', '[]', 400],
    ['a batch of nothing', '[1, null, "a"]', 400],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', 400],
    ['depth', deep, 400],
    ['a batch too large', JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ ...list, id }))), 400],
    ['a batch with an id twice', JSON.stringify([list, list]), 400],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}', 202],
    ['a notification that calls a tool', JSON.stringify({ ...toolCall('send_email', {}), id: undefined }), 202],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', 202],
  ];

  it.each(bodies)('is refused as the protocol says: %s', async (_, raw, status) => {
    const answer = await post(service, undefined, { raw });
    expect([answer.status, answer.text]).toEqual([status, status === 202 ? '' : answer.text]);
    if (status === 400) expect(answer.body.error.code).toBeLessThan(0);
  });

  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }, 415],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['no type', { 'Content-Type': '' }, 415],
    ['Accept without streams', { Accept: 'application/json' }, 406],
    ['a revision that nobody knows', { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ['a header that is not what the body says', modernHeaders('tools/call'), 400],
  ])('has the wrong headers: %s', async (_, headers, status) => {
    const answer = await post(service, list, { headers });
    expect([answer.status, answer.body.jsonrpc]).toEqual([status, '2.0']);
  });

  it.each([
    ['an unknown method', { jsonrpc: '2.0', id: 3, method: 'tools/none' }, -32601],
    ['an unknown tool', toolCall('delete_everything', {}, 3), -32602],
    ['a tool called __proto__', toolCall('__proto__', {}, 3), -32602],
    ['a tool without a name', { jsonrpc: '2.0', id: 3, method: 'tools/call', params: {} }, -32602],
    ['arguments that are a list', toolCall('get_account', [], 3), -32602],
    [
      'an unknown resource',
      { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      -32602,
    ],
    ['an unknown prompt', { jsonrpc: '2.0', id: 3, method: 'prompts/get', params: { name: 'x' } }, -32602],
    [
      'a prompt without its argument',
      { jsonrpc: '2.0', id: 3, method: 'prompts/get', params: { name: 'write_campaign' } },
      -32602,
    ],
  ])('is a protocol error, reported with its id: %s', async (_, message, code) => {
    const answer = await post(service, message);
    expect([answer.status, answer.body.id, answer.body.error.code]).toEqual([200, 3, code]);
  });

  it('asks for a stream, in either generation', async () => {
    const first = await post(service, { jsonrpc: '2.0', id: 4, method: 'subscriptions/listen', params: {} });
    const second = await post(service, modern('subscriptions/listen', { filter: {} }), {
      headers: modernHeaders('subscriptions/listen'),
    });
    for (const answer of [first, second]) expect([answer.status, answer.body.error.code]).toEqual([404, -32601]);
  });

  it('is larger than the transport carries', async () => {
    const answer = await post(service, undefined, { raw: ' '.repeat(64 * 1024 * 1024 + 1) });
    expect([answer.status, answer.body.name]).toEqual([413, 'validation_error']);
  });
});

describe('a batch', () => {
  it('is answered completely in the only revision that has batches, and counts each of its tool calls', async () => {
    const batch = [
      list,
      toolCall('get_account', {}, 'b'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      toolCall('get_email', {}, 'c'),
    ];
    const answer = await post(service, batch, { headers: { 'MCP-Protocol-Version': '2025-03-26' } });
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ id }: { id: string }) => id).sort()).toEqual(['a', 'b', 'c']);
    const refused = await post(service, batch, { headers: { 'MCP-Protocol-Version': '2025-06-18' } });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32600]);
  });
});

describe.each(generationNames)('a client of the %s generation', (generation) => {
  it('gets the refusal of an invalid key when it connects', async () => {
    await expect(connectAgent(generation, { ...service, apiKey: keys.unknown })).rejects.toThrow(/401|[Uu]nauthorized/);
  });
});

describe('the map of the API', () => {
  it('names the address of the server', async () => {
    const map = await call(service, 'GET', '/api/v1', { key: null });
    expect(map.body.entry_points.mcp).toBe(`${service.baseUrl}/api/mcp`);
  });
});
