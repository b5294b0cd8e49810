import { type Scope, scopeNames } from '../../../shared/contract/scopes.ts';
import { tools } from '../../../shared/contract/tools.ts';
import { catalogIn } from '../../../shared/documentation/catalog/catalog.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { connectAgent, post, type ToolAnswer, toolCall } from './agents.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

const place = () => ({ ...service, ...workspace });

/** Sends the arguments as given, hostile or not. */
async function use(name: string, given: unknown, headers: Record<string, string> = {}): Promise<ToolAnswer> {
  const { status, body } = await post(place(), toolCall(name, given), { headers });
  if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  const { isError = false, content, structuredContent } = body.result;
  const texts = content.map(({ text }: { text: string }) => text);
  return { isError, content: isError ? JSON.parse(texts[0]) : structuredContent, texts };
}

const half = '\ud800';
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.net`);
const email = { from: 'a@example.com', to: 'ada@example.net', subject: 'Hello', text: 'Hello' };
const draft = { name: 'News', subject: 'News', text: 'Hello' };
const unknownId = 'camp_01k9zq3v5c8r2m4n6p7s9t0wxy';

/** The arguments of a tool, and the equivalent call of the REST API. */
type Case = [tool: string, what: string, given: Record<string, unknown>, method: string, path: string, body?: unknown];

const asBody = (tool: string, path: string, bodies: Record<string, Record<string, unknown>>): Case[] =>
  Object.entries(bodies).map(([what, body]) => [tool, what, body, 'POST', path, body]);

const cases: Case[] = [
  ...asBody('send_email', '/emails', {
    'nothing at all': {},
    'wrong types': {
      from: 5,
      to: {},
      subject: ['a'],
      html: true,
      text: 1,
      cc: [1],
      headers: [],
      tags: {},
      attachments: 'x',
    },
    'an injected header': { ...email, subject: 'Hello\r\nBcc: eve@example.net' },
    'a forbidden header': { ...email, headers: { 'List-Unsubscribe': '<https://example.com>' } },
    'a prototype': { ...email, headers: JSON.parse('{"__proto__": "x"}') },
    'half a character': { ...email, subject: half },
    'too many recipients': { ...email, to: many(51) },
    'a file by its path': {
      ...email,
      attachments: [{ filename: 'a.txt', content: 'YQ==', path: 'https://example.com' }],
    },
    'a domain of somebody else': { ...email, from: 'a@somebody-else.example' },
    'no body': { ...email, text: undefined },
  }),
  [
    'get_email',
    'an unknown id',
    { id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy' },
    'GET',
    '/emails/email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ],
  [
    'get_email',
    'an id with everything',
    { id: 'a/b?c#d%2e&é\u0000' },
    'GET',
    `/emails/${encodeURIComponent('a/b?c#d%2e&é\u0000')}`,
  ],
  [
    'list_subscribers',
    'wrong types',
    { limit: 'ten', status: 'asleep', q: 'a', cursor: 'x.y' },
    'GET',
    '/subscribers?limit=ten&status=asleep&q=a&cursor=x.y',
  ],
  ['list_subscribers', 'bounds', { limit: 101 }, 'GET', '/subscribers?limit=101'],
  ['list_subscribers', 'no integer', { limit: 1.5 }, 'GET', '/subscribers?limit=1.5'],
  ['list_subscribers', 'a list for a text', { status: ['pending'] }, 'GET', '/subscribers?status=%5B%22pending%22%5D'],
  ['list_subscribers', 'an unknown filter', { tag: 'vip' }, 'GET', '/subscribers?tag=vip'],
  ...asBody('add_subscriber', '/subscribers', {
    'nothing at all': {},
    'wrong types': { email: 5, firstName: [], tags: 'a', fields: [], double_opt_in: 'no' },
    'too much': { email: 'ada@example.net', tags: many(51), fields: { size: [[[1]]] } },
    'a local part that SES does not take': { email: 'é@example.net' },
  }),
  [
    'remove_subscriber',
    'an unknown address',
    { email: 'no/body+1@example.net' },
    'DELETE',
    '/subscribers/no%2Fbody%2B1%40example.net',
  ],
  ['list_suppression', 'wrong types', { email: 'nobody', limit: true }, 'GET', '/suppression?email=nobody&limit=true'],
  ['list_suppression', 'an unknown filter', { reason: 'bounce' }, 'GET', '/suppression?reason=bounce'],
  ...asBody('add_suppression', '/suppression', {
    'nothing at all': {},
    'wrong types': { email: ['a@example.net'], reason: 'because' },
  }),
  ['list_campaigns', 'wrong types', { status: 'lost', limit: 0 }, 'GET', '/campaigns?status=lost&limit=0'],
  ...asBody('create_campaign', '/campaigns', {
    'nothing at all': {},
    'wrong types': { name: 5, subject: null, text: [], content: 'x', ab_test: true },
    'both bodies': { ...draft, content: [{ type: 'divider' }] },
    'a broken merge field': { ...draft, text: 'Hello {{firstName' },
    'an unknown segment': { ...draft, segment_id: 'seg_none' },
    'a script for a link': { ...draft, text: '[x](javascript:alert(1))' },
  }),
  [
    'preview_campaign_send',
    'an unknown id',
    { id: unknownId },
    'POST',
    `/campaigns/${unknownId}/send`,
    { dry_run: true },
  ],
  [
    'preview_campaign_send',
    'wrong types',
    { id: unknownId, to: 'ada@example.net' },
    'POST',
    `/campaigns/${unknownId}/send`,
    { to: 'ada@example.net', dry_run: true },
  ],
  ['send_campaign', 'an unknown id', { id: unknownId }, 'POST', `/campaigns/${unknownId}/send`, {}],
  [
    'send_campaign',
    'too many people',
    { id: unknownId, to: many(50_001) },
    'POST',
    `/campaigns/${unknownId}/send`,
    { to: many(50_001) },
  ],
  [
    'send_campaign',
    'a list that was lost',
    { id: unknownId, to: null },
    'POST',
    `/campaigns/${unknownId}/send`,
    { to: null },
  ],
  ['get_campaign_stats', 'an unknown id', { id: half }, 'GET', '/campaigns/%EF%BF%BD/stats'],
];

describe('what REST refuses', () => {
  it.each(cases)('%s refuses with the same message: %s', async (...[name, , given, method, path, body]: Case) => {
    for (const language of ['en', 'fr']) {
      const headers = { 'Accept-Language': language };
      const [answer, rest] = [
        await use(name, given, headers),
        await call(place(), method, `/api/v1${path}`, { body, headers }),
      ];
      expect(rest.status).toBeGreaterThanOrEqual(400);
      expect([answer.isError, answer.content]).toEqual([true, rest.body]);
    }
  });

  it('is tested for every tool that has arguments', () => {
    const tried = new Set(cases.map(([name]) => name));
    expect(tools.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual(['get_account']);
  });
});

describe('an idempotency_key', () => {
  const keys = {
    empty: '',
    'too long': 'k'.repeat(201),
    'not ASCII': 'clé',
    'with a line break': 'a\r\nX-Api-Key: b',
    'a list': ['é'],
  };

  it.each(Object.entries(keys))('that is %s is refused, and nothing is sent', async (_, idempotency_key) => {
    const to = 'keyed@example.net';
    const answer = await use('send_email', { ...email, from: `a@${workspace.domain}`, to, idempotency_key });
    expect(answer.content).toMatchObject({
      name: 'validation_error',
      error: { details: { issues: [{ path: 'idempotency-key' }] } },
    });
    expect(await inbox(service, to)).toEqual([]);
  });
});

describe('an argument that no request can carry', () => {
  const inPath = tools.filter(({ route }) => route.path.includes('{'));
  const argumentOf = (path: string) => /\{(\w+)\}/.exec(path)?.[1] ?? '';

  it.each(inPath)('$name is refused as the REST API refuses a field', async ({ name, route }) => {
    const path = argumentOf(route.path);
    const told = async (given: object) => {
      const { content } = await use(name, given);
      return [content.statusCode, content.error.details.issues];
    };
    expect(await told({})).toEqual([422, [{ path, message: 'is required' }]]);
    expect(await told({ [path]: 5 })).toEqual([422, [{ path, message: 'must be a string' }]]);
    expect(await told({ [path]: null })).toEqual([422, [{ path, message: 'must be a string' }]]);
    expect(await told({ [path]: '' })).toEqual([422, [{ path, message: 'must not be empty' }]]);
  });

  it.each(inPath)('$name never leads to another route', async ({ name, route }) => {
    for (const way of ['.', '..', '../me', '..%2fme', '%2e%2e', '../../v1/me']) {
      const { isError, content } = await use(name, { [argumentOf(route.path)]: way });
      expect([way, isError, [404, 422].includes(content.statusCode)]).toEqual([way, true, true]);
    }
  });

  it('is a body that is nested too deeply', async () => {
    const raw = JSON.stringify(toolCall('create_campaign', { ...draft, text: 'DEEP' })).replace('"DEEP"', deep);
    const { body } = await post(place(), undefined, { raw });
    const { error } = JSON.parse(body.result.content[0].text);
    expect(error.details.issues).toEqual([{ path: '', message: 'the arguments are nested too deeply' }]);
  });

  it('does not turn an infinite number into null, which would remove a field', async () => {
    const address = `size@${workspace.domain}`;
    await use('add_subscriber', { email: address, double_opt_in: false, fields: { size: 42 } });
    const raw = JSON.stringify(toolCall('add_subscriber', { email: address, fields: { size: 'NUMBER' } })).replace(
      '"NUMBER"',
      '1e999',
    );
    const answer = await post(place(), undefined, { raw });
    expect(JSON.parse(answer.body.result.content[0].text).error.details.issues[0].path).toBe('fields.size');
    const found = await call(place(), 'GET', `/api/v1/subscribers/${address}`);
    expect(found.body.fields).toEqual({ size: 42 });
  });
});

describe('dry_run, which the tool sets itself', () => {
  it('is refused by send_campaign, and nothing is sent', async () => {
    const { content: created } = await use('create_campaign', { ...draft, from: `a@${workspace.domain}` });
    for (const dry_run of [true, 'true', 1]) {
      const { content } = await use('send_campaign', { id: created.id, dry_run });
      expect(content.error.details.issues).toEqual([
        { path: 'dry_run', message: expect.stringContaining('`preview_campaign_send`') },
      ]);
    }
    const { content } = await use('preview_campaign_send', { id: created.id, dry_run: false });
    expect(content.error.details.issues).toEqual([
      { path: 'dry_run', message: expect.stringContaining('`send_campaign`') },
    ]);
    expect((await call(place(), 'GET', `/api/v1/campaigns/${created.id}`)).body.status).toBe('draft');
  });
});

describe('a key of a single scope', () => {
  const examples = Object.fromEntries(tools.map(({ name, route }) => [name, route.request.example ?? {}]));
  const names: Record<string, object> = { id: { id: unknownId }, email: { email: 'nobody@example.net' } };

  it.each(['none', ...scopeNames])('allows exactly what the REST API allows: %s', async (scope) => {
    const { createKey } = await import('../../../shared/services/keys.ts');
    const scopes = scope === 'none' ? [] : [scope as Scope];
    const { key } = await createKey(operatorContext(workspace.workspaceId), { name: scope, scopes });
    const agent = await connectAgent('second', { ...service, apiKey: key });
    const listed = await agent.client.listTools();
    expect(listed.tools).toHaveLength(tools.length);
    for (const { name, route } of tools) {
      const parameter = /\{(\w+)\}/.exec(route.path)?.[1] ?? '';
      const { isError, content } = await agent.use(name, {
        ...examples[name],
        ...names[parameter],
        dry_run: undefined,
      });
      const isOpen = route.access === 'key' || scope === route.access;
      const refused = isError && content.name === 'insufficient_scope';
      expect([name, refused]).toEqual([name, !isOpen]);
      if (refused) expect(content.error.details).toEqual({ required: route.access, granted: scopes });
      // An argument that no request can carry is refused after the scope, not before.
      if (parameter && !isOpen) expect((await agent.use(name)).content.name).toBe('insufficient_scope');
    }
    await agent.close();
  });
});

describe('the catalog of the running service', () => {
  it.each(['en', 'fr'] as const)('is derived from the contract, in %s', async (language) => {
    const agent = await connectAgent('first', { ...place(), query: '?toolsets=all' }, language);
    const { tools: listed } = await agent.client.listTools();
    expect(listed).toEqual(JSON.parse(JSON.stringify(catalogIn(language).tools)));
    await agent.close();
  });
});
