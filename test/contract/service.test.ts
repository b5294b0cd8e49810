import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { methodsOf } from '../../shared/contract/routing.ts';
import { scopesOf } from '../../shared/contract/scopes.ts';
import { languageOf, languageTags } from '../../shared/language/languages.ts';
import { type Answer, call } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { brokenHeaders, brokenPromises } from './conformance.ts';
import { badQueries, oddBodies, oddPaths } from './hostile.ts';
import { createKeys, createWorld, type Keys, pathOf, type World, withQuery } from './world.ts';

let service: TestService;
let world: World;
let stranger: TestWorkspace;
let keys: Keys;
beforeAll(async () => {
  service = await startService({ env: { EMAIL_LIST: 'recipient-and-tag' } });
  world = await createWorld(service);
  stranger = await newWorkspace(service);
  keys = await createKeys(service, world.workspaceId);
});
afterAll(() => service.stop());

type Options = Parameters<typeof call>[3] & { path?: string };

/** Calls a route. Every answer must be one that the OpenAPI document promises. */
async function ask(route: Route, { path, ...options }: Options = {}): Promise<Answer> {
  const body = route.request.body && options.raw === undefined ? { body: route.request.example } : {};
  const answer = await call(service, route.method, path ?? pathOf(route), { ...body, ...options });
  expect({ route: route.id, broken: brokenPromises(route, answer) }).toEqual({ route: route.id, broken: [] });
  return answer;
}

/** The resource that a route names, as its owner reads it; null for a GET, which changes nothing. */
async function ownView(route: Route): Promise<unknown> {
  if (route.method === 'GET') return null;
  const [, , , named = ''] = route.path.split('/');
  // An import is read as a job.
  const resource = named === 'imports' ? 'jobs' : named;
  const reader = routes.find((one) => one.method === 'GET' && one.path.startsWith(`/api/v1/${resource}/{`));
  if (!reader) return entryOf(resource, world.parametersOf(route));
  const answer = await ask(reader, { path: pathOf(reader, world.parametersOf(route)), key: world.apiKey });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The same of what only a list shows. */
async function entryOf(resource: string, parameters: Record<string, string>): Promise<unknown> {
  const reader = routes.find((one) => one.method === 'GET' && one.path === `/api/v1/${resource}`);
  if (!reader) throw new Error(`Nothing reads what /${resource} changes.`);
  const { body } = await ask(reader, { key: world.apiKey });
  const [name = '', value] = Object.entries(parameters)[0] ?? [];
  const entry = body.data.find((one: Record<string, unknown>) => one[name] === value);
  expect(entry).toBeDefined();
  return entry;
}

const named = (wanted: (route: Route) => boolean) =>
  routes.filter(wanted).map((route) => [`${route.method} ${route.path}`, route] as const);
const isPublic = (route: Route) => route.access === 'public';

describe.each(named(isPublic))('%s', (_name, route) => {
  it('needs no key', async () => {
    expect((await ask(route, { key: null })).status).toBe(200);
  });

  it('follows the language of the call', async () => {
    const answer = await ask(route, { key: null, headers: { 'Accept-Language': 'fr' } });
    expect(answer.headers.get('Content-Language')).toBe('fr');
  });
});

describe.each(named((route) => !isPublic(route)))('%s', (_name, route) => {
  describe('401', () => {
    it.each([
      ['missing_api_key', 'no key', () => ({ key: null })],
      ['missing_api_key', 'an empty header', () => ({ key: null, headers: { 'X-Api-Key': '' } })],
      ['invalid_api_key', 'a key that nobody has', () => ({ key: keys.unknown })],
      ['invalid_api_key', 'a key with a typo', () => ({ key: `${world.apiKey.slice(0, -1)}!` })],
      ['invalid_api_key', 'both headers', () => ({ key: world.apiKey, headers: { 'X-Api-Key': world.apiKey } })],
      ['invalid_api_key', 'another scheme', () => ({ key: null, headers: { Authorization: 'Basic bTpt' } })],
      ['revoked_api_key', 'a revoked key', () => ({ key: keys.revoked })],
    ] as const)('%s for %s', async (code, _given, options) => {
      const answer = await ask(route, options());
      expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 401, name: code });
    });
  });

  it('accepts X-Api-Key like Authorization', async () => {
    const path = pathOf(route);
    const body = route.request.body ? { raw: '[]' } : {};
    const bearer = await ask(route, { ...body, path, key: stranger.apiKey });
    const header = await ask(route, { ...body, path, key: null, headers: { 'X-Api-Key': stranger.apiKey } });
    const seen = ({ status, body: { error } }: Answer) => ({ status, error });
    expect(seen(header)).toEqual(seen(bearer));
    expect(header.status).not.toBe(401);
  });

  it('refuses in French on request, with the same code', async () => {
    const [en, fr] = await Promise.all(
      ['en-US,fr;q=0.9', 'fr-FR,fr;q=0.9,en;q=0.8'].map((language) =>
        ask(route, { key: null, headers: { 'Accept-Language': language } }),
      ),
    );
    expect(fr?.body.name).toBe(en?.body.name);
    expect(fr?.body.message).not.toBe(en?.body.message);
    expect(fr?.body.error.message).toBe(fr?.body.message);
    expect([en, fr].map((answer) => answer?.headers.get('Content-Language'))).toEqual(['en', languageOf('fr-FR')]);
  });
});

describe.each(named((route) => !['public', 'key'].includes(route.access)))('%s', (_name, route) => {
  it('403 insufficient_scope names the required scope and those of the key', async () => {
    for (const required of scopesOf(route)) {
      const answer = await ask(route, { key: keys.without(required) });
      expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 403, name: 'insufficient_scope' });
      expect(answer.body.error.details.required).toBe(required);
      expect(answer.body.error.details.granted).not.toContain(required);
    }
  });
});

/** They are for everybody who ever got a message, whether a subscriber or not: see test/acceptance/people/jobs.test.ts. */
const ofAnyAddress = ['subscribers.export', 'subscribers.erase'];

describe.each(named(({ id, path }) => path.includes('{') && !ofAnyAddress.includes(id)))('%s', (_name, route) => {
  it('404 not_found for what does not exist', async () => {
    const answer = await ask(route, { key: world.apiKey });
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 404, name: 'not_found' });
  });

  it('404 not_found with the same message for resources of another workspace, which stay unchanged', async () => {
    const options = { key: stranger.apiKey };
    const before = await ownView(route);
    const theirs = await ask(route, { ...options, path: pathOf(route, world.parametersOf(route)) });
    const nobodys = await ask(route, options);
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(nobodys.body);
    expect(await ownView(route)).toEqual(before);
  });

  it('never fails on a malformed path', async () => {
    for (const odd of oddPaths) {
      const path = route.path.replace(/\{\w+\}/g, odd);
      const answer = await call(service, route.method, path, { key: world.apiKey, body: route.request.example });
      expect({ path, status: answer.status }).toEqual({ path, status: expect.any(Number) });
      expect([404, 405, 422]).toContain(answer.status);
      expect(brokenHeaders(answer)).toEqual([]);
    }
  });
});

describe.each(named((route) => route.method === 'GET' && route.request.query !== undefined))('%s', (_name, route) => {
  it('shows nothing of another workspace', async () => {
    if (route.path.includes('{')) return expect(route.errors).toContain('not_found');
    const answers = [await ask(route, { key: world.apiKey }), await ask(route, { key: stranger.apiKey })];
    const [ours, theirs] = answers.map(({ body }) => body.data);
    // One record of the workspace instead of a list.
    if (ours === undefined) return expect(answers[1]?.body).not.toEqual(answers[0]?.body);
    expect(ours).not.toEqual([]);
    // Not always empty: the other workspace has its own domain.
    for (const entry of ours) expect(theirs).not.toContainEqual(entry);
    expect(theirs.length).toBeLessThan(ours.length);
  });

  it.each(badQueries)('422 validation_error for %s', async (query) => {
    const [name = ''] = query.split('=');
    if (!(name in (route.request.query?.shape ?? {}))) return expect(route.request.query).toBeDefined();
    const path = withQuery(pathOf(route, route.path.includes('{') ? world.parametersOf(route) : {}), query);
    const answer = await ask(route, { path, key: world.apiKey });
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 422, name: 'validation_error' });
    expect(answer.body.error.details.issues).toEqual([{ path: name, message: expect.any(String) }]);
  });
});

describe.each(named((route) => route.request.query !== undefined))('%s', (_name, route) => {
  const path = () => pathOf(route, route.path.includes('{') ? world.parametersOf(route) : {});

  it.each(['label', 'Limit', 'page', '__proto__', ''])(
    '422 for the parameter %j, naming those that there are',
    async (name) => {
      const isList = 'limit' in (route.request.query?.shape ?? {});
      const answer = await ask(route, {
        path: withQuery(path(), `${isList ? 'limit=1&' : ''}${name}=vip`),
        key: world.apiKey,
      });
      expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 422, name: 'validation_error' });
      const known = Object.keys(route.request.query?.shape ?? {});
      expect(answer.body.error.details.issues).toEqual([
        { path: name, message: expect.stringContaining(known.join(', ')) },
      ]);
    },
  );
});

describe.each(named((route) => route.method === 'GET'))('HEAD of %s', (_name, route) => {
  it.each([
    ['who may', () => world.apiKey],
    ['who may not', () => null],
  ])('has the status and the headers of GET for %s, and no body', async (_who, key) => {
    const path = pathOf(route, route.path.includes('{') ? world.parametersOf(route) : {});
    const [get, head] = [
      await call(service, 'GET', path, { key: key() }),
      await call(service, 'HEAD', path, { key: key() }),
    ];
    expect([head.status, head.body]).toEqual([get.status, null]);
    const ofEachCall = [
      'connection',
      'keep-alive',
      'date',
      'x-request-id',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ];
    const seen = ({ headers }: Answer) => [...headers].filter(([name]) => !ofEachCall.includes(name));
    expect(seen(head)).toEqual(seen(get));
    expect(brokenHeaders(head)).toEqual([]);
  });
});

describe.each(named((route) => route.request.body !== undefined))('%s', (_name, route) => {
  it.each(['', '{', 'null', '[]', '"text"', '42', '{"a":1}}', '\u0000'])('422 for the body %j', async (raw) => {
    const isEmptyAllowed = raw === '' && route.request.bodyOptional;
    const answer = await ask(route, { raw, key: world.apiKey });
    if (isEmptyAllowed) expect(answer.status).toBeLessThan(500);
    else expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 422, name: 'validation_error' });
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from('{"name":"\xe9"}', 'latin1')],
    ['half of a surrogate pair', '{"email":"\\ud800"}'],
  ])('422 for %s', async (_what, raw) => {
    const answer = await ask(route, { raw, key: world.apiKey });
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 422, name: 'validation_error' });
  });

  it('answers every hostile value of every field with a promised status', async () => {
    const values = route.path.includes('{') ? world.parametersOf(route) : {};
    const bodies = oddBodies(route);
    for (const body of bodies) await ask(route, { path: pathOf(route, values), key: world.apiKey, body });
    expect(bodies.length).toBeGreaterThan(10);
  });
});

describe('methods that a path does not accept', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  it.each([...new Set(routes.map(({ path }) => path))])('%s answers 405 with Allow', async (path) => {
    const own = routes.filter((route) => route.path === path);
    const taken = own.flatMap(methodsOf);
    for (const method of methods.filter((name) => !taken.includes(name))) {
      const [route] = own;
      const answer = await call(service, method, route ? pathOf(route) : path, { key: world.apiKey });
      const name = method === 'HEAD' ? undefined : 'validation_error';
      expect({ method, status: answer.status, name: answer.body?.name }).toEqual({ method, status: 405, name });
      expect(answer.headers.get('Allow')?.split(', ').sort()).toEqual(taken.sort());
      expect(brokenHeaders(answer)).toEqual([]);
    }
  });
});

describe('an entry of the suppression list', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('takes no %s, and says that no call lifts it', async (method) => {
    for (const email of ['ada@example.net', 'ada%40example.net', 'nobody']) {
      const answer = await call(service, method, `/api/v1/suppression/${email}`, { key: world.apiKey });
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, '']);
      const message = expect.stringMatching(/^No call removes an address from the suppression list/);
      expect(answer.body).toMatchObject({ name: 'validation_error', statusCode: 405, message });
      expect(brokenHeaders(answer)).toEqual([]);
    }
  });
});

describe('paths that no route has', () => {
  it.each(['/api', '/api/v2', '/api/v1/nothing', '/api/v1/emails/a/b', '/API/V1', '/api/v1//me'])(
    '%s answers 404 in the one error shape',
    async (path) => {
      const answer = await call(service, 'GET', path, { headers: { 'Accept-Language': 'fr' } });
      expect(answer.body).toEqual({
        error: { code: 'not_found', message: expect.any(String), details: {} },
        statusCode: 404,
        message: answer.body.error.message,
        name: 'not_found',
      });
      expect(answer.headers.get('Content-Language')).toBe('fr');
      expect(brokenHeaders(answer)).toEqual([]);
    },
  );
});

describe('the reference', () => {
  it.each(languageTags)('is served in %s with the address of this deployment', async (language) => {
    const { body: map } = await call(service, 'GET', '/api/v1', { key: null });
    const response = await fetch(map.reference[language]);
    const document = await response.json();
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: service.baseUrl }] });
  });

  const open = routes.filter((route) => route.crossOrigin);

  it('is the only route that scripts of any web page may read', async () => {
    expect(open.map(({ id }) => id)).toEqual(languageTags.map((tag) => `reference.${tag}`));
    const answers = await Promise.all(
      routes.map((route) => ask(route, { headers: { Origin: 'https://tool.example' } })),
    );
    const readable = answers.map((answer) => answer.headers.get('Access-Control-Allow-Origin'));
    expect(readable).toEqual(routes.map((route) => (route.crossOrigin ? '*' : null)));
  });

  it.each(open.map(({ path }) => path))('%s answers the preflight request of a browser', async (path) => {
    const asking = { Origin: 'https://tool.example', 'Access-Control-Request-Method': 'GET' };
    const answer = await fetch(`${service.baseUrl}${path}`, { method: 'OPTIONS', headers: asking });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD');
    const closed = await fetch(`${service.baseUrl}/api/v1/me`, { method: 'OPTIONS', headers: asking });
    expect([closed.status, closed.headers.get('Access-Control-Allow-Origin')]).toEqual([405, null]);
  });
});
