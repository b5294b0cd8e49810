import { Resend } from 'resend';
import { translations } from '../../../shared/resend/internal/translations.ts';
import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace } from '../workspace.ts';
import { apiKeyScenarios } from './apiKeys.ts';
import { automationScenarios } from './automations.ts';
import { broadcastScenarios } from './broadcasts.ts';
import { argumentFor, email, isLocal, methodsOfClient, row as rowIn } from './client.ts';
import { contactScenarios } from './contacts.ts';
import { contactTopicScenarios } from './contactTopics.ts';
import { domainScenarios } from './domains.ts';
import { emailScenarios } from './emails.ts';
import { eventScenarios } from './events.ts';
import { type ClientWorld, refusalOf, type Scenarios } from './scenarios.ts';
import { segmentScenarios } from './segments.ts';
import { suppressionScenarios } from './suppressions.ts';
import { templateScenarios } from './templates.ts';
import { topicScenarios } from './topics.ts';
import { usageScenarios } from './usage.ts';
import { webhookScenarios } from './webhooks.ts';

const row = (name: string) => rowIn('At /api/resend', name);
const scenarios: Scenarios = {
  ...emailScenarios,
  ...segmentScenarios,
  ...contactScenarios,
  ...topicScenarios,
  ...domainScenarios,
  ...templateScenarios,
  ...webhookScenarios,
  ...suppressionScenarios,
  ...usageScenarios,
  ...apiKeyScenarios,
  ...contactTopicScenarios,
  ...broadcastScenarios,
  ...eventScenarios,
  ...automationScenarios,
};

let service: TestService;
let world: ClientWorld;
const clientWith = (key: string) => new Resend(key, { baseUrl: `${service.baseUrl}/api/resend` });
beforeAll(async () => {
  service = await sharedService();
  const workspace = await newWorkspace(service);
  world = { service, workspace, resend: clientWith(workspace.apiKey) };
});
afterAll(() => service.stop());

/** The calls of the client that the service answers, or whose messages it signs: others are parts of them. */
const isCall = (name: string) => name === 'webhooks.verify' || !(isLocal(name) || name === 'templates.performCreate');
const calls = () => [...methodsOfClient(world.resend).keys()].filter(isCall);

/** The calls of a row, in which `inboxes.*` stands for all whose names begin so. */
const callsOf = (name: string): string[] =>
  row(name).flatMap((one) =>
    one.endsWith('.*') ? calls().filter((call) => call.startsWith(one.slice(0, -1))) : [one],
  );

/** Refused whatever they name. */
const callsWithoutFields = [
  ...['DELETE /suppressions/{id}', 'POST /suppressions/batch/remove', 'PATCH /api-keys/{id}'],
];

/** Rows of the table by the status of their calls. */
const refused = { '403': 403, '404': 404, '405': 405 } as const;

describe('docs/resend.md on the calls of the client at /api/resend', () => {
  it('names every call that the client has, once', () => {
    const named = ['work', ...Object.keys(refused)].flatMap(callsOf);
    expect(calls().length).toBeGreaterThan(130);
    expect(named.toSorted()).toEqual(calls().toSorted());
  });

  it('names those that work, each of which is tried', () => {
    expect(row('work').toSorted()).toEqual(Object.keys(scenarios).toSorted());
  });

  it.each(Object.entries(scenarios))('%s works', (_, scenario) => scenario(world));

  it.each(Object.entries(refused))('refuses those of the row %s, in the shape of the client', async (name, status) => {
    const methods = methodsOfClient(world.resend);
    const found: [string, number | null][] = [];
    for (const one of callsOf(name)) {
      const given = argumentFor(one);
      const result = methods.get(one)?.(given, given) as Promise<{ data: null; error: never }>;
      found.push([one, (await refusalOf(result))[0]]);
    }
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(callsOf(name).map((one) => [one, status]));
  });
});

describe('a call of the client', () => {
  it('has the rights of its key and no others', async () => {
    const { apiKey } = await newWorkspace(service, { scopes: ['subscribers:read'] });
    const { error } = await clientWith(apiKey).emails.send(email);
    expect(error).toMatchObject({ statusCode: 403, name: 'restricted_api_key' });
    const unknown = await clientWith(`mr_live_${'x'.repeat(43)}`).emails.get('x');
    expect(unknown.error).toMatchObject({ statusCode: 401, name: 'invalid_api_key' });
    // Also what the REST API is not asked for.
    const nothing = await clientWith('no key').logs.list();
    expect(nothing.error).toMatchObject({ statusCode: 401, name: 'invalid_api_key' });
  });

  it('sees nothing of another workspace', async () => {
    const { data } = await world.resend.emails.send({ ...email, from: `hello@${world.workspace.domain}` });
    const { apiKey } = await newWorkspace(service);
    const [status] = await refusalOf(clientWith(apiKey).emails.get(data?.id ?? ''));
    expect(status).toBe(404);
    expect((await refusalOf(clientWith(apiKey).emails.list({ after: data?.id ?? '' })))[0]).toBe(404);
    const other = clientWith(apiKey);
    const segmentId = (await world.resend.segments.create({ name: 'Mine' })).data?.id ?? '';
    const mine = 'mine@example.net';
    await world.resend.contacts.create({ email: mine, segments: [{ id: segmentId }] });
    const given = { segmentId, from: 'a@b.example', subject: 'Hello', text: 'Hello' };
    const theirs = [
      other.segments.get(segmentId),
      other.contacts.get(mine),
      other.contacts.create({ email: 'own@example.net', segments: [{ id: segmentId }] }),
      other.contacts.segments.list({ email: mine }),
      other.broadcasts.create(given),
    ];
    for (const refused of theirs) expect([404, 422]).toContain((await refusalOf(refused))[0]);
    expect((await refusalOf(other.contacts.get('own@example.net')))[0]).toBe(404);
  });

  it('says all that is wrong with its fields, since the shape of an error has one text', async () => {
    const { error } = await world.resend.emails.send({ ...email, to: 'no', subject: 'a\nb' });
    expect(error).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message: expect.stringMatching(/to: .+; subject: /),
    });
  });

  it.each([
    ['an unknown field', '/emails', { ...email, sendAt: '2030-01-01T00:00:00Z' }, /sendAt: is not a field/],
    ['a topic, which decides who gets it', '/emails', { ...email, topic_id: 'top_x' }, /^topic_id: /],
    ['one in a batch', '/emails/batch', [email, { ...email, audience: 'x' }], /^\[1\]\.audience: /],
    ['a field of a call that takes none', '/emails/email_x/cancel', { at: 'noon' }, /^at: is not a field/],
    ['a parameter', '/emails?dry_run=true', email, /^dry_run: /],
  ])('is refused with %s, and nothing is sent', async (_, path, body, message) => {
    const { apiKey, domain } = world.workspace;
    const own = (one: unknown) => ({ ...(one as object), from: `hello@${domain}` });
    const given = Array.isArray(body) ? body.map(own) : body;
    const answer = await call({ ...service, apiKey }, 'POST', `/api/resend${path}`, { body: given });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(message)]);
  });

  it.each(translations.map(({ method, path }) => [method, path] as const))(
    'refuses what it does not read: %s %s',
    async (method, path) => {
      const { apiKey } = world.workspace;
      const at = `/api/resend${path.replace(/\{\w+\}/g, 'x1')}`;
      const ask = (query: string, body?: object) => call({ ...service, apiKey }, method, `${at}${query}`, { body });
      const answers = [await ask('?surprise=1', method === 'GET' ? undefined : {})];
      if (method !== 'GET') answers.push(await ask('', { surprise: 1 }), await ask('', [{ surprise: 1 }]));
      const isClosed = callsWithoutFields.some((one) => one === `${method} ${path}`);
      for (const { status, body } of answers)
        if (isClosed) expect([status, body.statusCode]).toEqual([expect.any(Number), status]);
        else expect([status, body.name]).toEqual([422, 'validation_error']);
      expect(isClosed || answers.some(({ body }) => body.message.includes('surprise'))).toBe(true);
    },
  );

  it('cannot reach another path of the REST API', async () => {
    const { apiKey } = world.workspace;
    for (const path of ['/emails/..%2Fsubscribers', '/emails/%2e%2e', '/emails/x%2Fcancel']) {
      const { status, body } = await call({ ...service, apiKey }, 'GET', `/api/resend${path}`);
      expect([status, body.name]).toEqual([404, 'not_found']);
    }
  });
});
