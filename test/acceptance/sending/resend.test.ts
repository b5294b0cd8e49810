import {
  type GetDomainResponseSuccess,
  type GetEmailResponseSuccess,
  type GetTemplateResponseSuccess,
  Resend,
} from 'resend';
import { call, eventually } from '../client.ts';
import { received } from '../inbox.ts';
import { argumentFor, email, isLocal, methodsOfClient, row as rowIn } from '../resend/client.ts';
import { startService, type TestService } from '../service.ts';

const row = (name: string) => rowIn('At /api/v1', name);

let service: TestService;
let resend: Resend;
let statuses: number[];
const send = globalThis.fetch;
beforeAll(async () => {
  service = await startService();
  resend = new Resend(service.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });
  globalThis.fetch = async (...call) => {
    const answer = await send(...call);
    statuses.push(answer.status);
    return answer;
  };
});
afterAll(async () => {
  globalThis.fetch = send;
  await service.stop();
});
beforeEach(() => {
  statuses = [];
});

const calls = () => methodsOfClient(resend);

describe('docs/resend.md on the calls of the resend client', () => {
  it('names what works, and it works', async () => {
    const working = row('work');
    expect(working.length).toBeGreaterThan(4);
    const { data: sent } = await resend.emails.send(email);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const { data: later } = await resend.emails.send({ ...email, scheduledAt });
    const create = await send(`${service.baseUrl}/api/v1/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['email.delivered'] }),
    });
    const webhook = (await create.json()) as { id: string };
    const template = { name: 'Welcome', subject: 'Welcome', html: '<p>Hello {{{NAME}}}</p>' };
    const templates = await Promise.all([1, 2].map(() => resend.templates.create(template)));
    const [kept, removed] = templates.map(({ data }) => data?.id);
    const automation = {
      ...{ name: 'Trial', status: 'enabled' as const, connections: [{ from: 'start', to: 'rest' }] },
      steps: [
        { key: 'start', type: 'trigger' as const, config: { eventName: 'trial_started' } },
        { key: 'rest', type: 'delay' as const, config: { duration: '3 days' } },
      ],
    };
    const [running, other, gone] = (await Promise.all([1, 2, 3].map(() => resend.automations.create(automation)))).map(
      ({ data }) => data?.id ?? '',
    );
    const rest = async (path: string, body: object) => {
      const init = {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
      };
      return (await send(`${service.baseUrl}/api/v1${path}`, { ...init, body: JSON.stringify(body) })).json();
    };
    await rest('/subscribers', { email: 'lin@example.net', double_opt_in: false });
    const run = (await rest(`/automations/${running}/runs`, { email: 'lin@example.net' })) as { id: string };
    const given: Record<string, unknown> = {
      'emails.send': email,
      'emails.create': email,
      'emails.get': sent?.id,
      'emails.update': { id: later?.id, scheduledAt },
      'emails.cancel': later?.id,
      'batch.send': [email, email],
      'batch.create': [email],
      'emails.list': { limit: 1 },
      'webhooks.list': undefined,
      'webhooks.get': webhook.id,
      'webhooks.remove': webhook.id,
      'domains.list': undefined,
      'domains.get': 'example.com',
      'templates.create': { ...template, variables: [{ key: 'NAME', type: 'string', fallbackValue: 'you' }] },
      'templates.list': undefined,
      'templates.get': kept,
      'templates.update': kept,
      'templates.remove': removed,
      'events.send': { event: 'visit', email: 'ada@example.net' },
      'automations.create': automation,
      'automations.get': running,
      'automations.list': { limit: 1, status: 'enabled' },
      'automations.update': other,
      'automations.remove': gone,
      'automations.stop': other,
      'automations.duplicate': running,
      'automations.runs.get': { automationId: running, runId: run.id },
      'automations.runs.list': { automationId: running, status: ['running', 'completed'] },
    };
    const second: Record<string, unknown> = {
      'templates.update': { subject: 'Welcome, {{{NAME}}}' },
      'automations.update': { name: 'Other' },
    };
    expect(working.toSorted()).toEqual(Object.keys(given).toSorted());
    for (const name of working)
      expect([name, await calls().get(name)?.(given[name], second[name])]).toEqual([
        name,
        expect.objectContaining({ error: null }),
      ]);
  });

  it('lists what was sent, newest first, with its own cursors', async () => {
    const { data: sent } = await resend.emails.send({ ...email, subject: 'The latest' });
    await eventually(async () => {
      const { data } = await resend.emails.list({ limit: 1 });
      return data?.data[0]?.id === sent?.id && data?.data[0]?.subject === 'The latest';
    });
    expect(row('422').slice(3, 7)).toEqual(['emails.list', 'after', 'before', 'cursor']);
    expect(row('list only')).toEqual(['segments.list', 'audiences.list', 'topics.list', 'usage.get']);
    expect((await resend.emails.list({ after: sent?.id ?? '' })).error?.statusCode).toBe(422);
  });

  it('names the calls with 405 and 422; all others get 404', async () => {
    const expected = new Map<string, number>([
      ...[...row('work'), 'webhooks.update'].map((name): [string, number] => [name, 0]),
      ...row('405').map((name): [string, number] => [name, 405]),
      ['webhooks.create', 422],
      // Resend's audiences are its segments. Both are made by name alone there, and by a rule here.
      ...['segments', 'audiences'].flatMap((name): [string, number][] => [
        [`${name}.list`, 200],
        [`${name}.create`, 422],
        [`${name}.update`, 422],
      ]),
      ...['topics.create', 'topics.update', 'domains.create', 'events.create', 'events.list'].map(
        (name): [string, number] => [name, 422],
      ),
      ...['topics.list', 'usage.get'].map((name): [string, number] => [name, 200]),
      // What templates.create is made of.
      ['templates.performCreate', 201],
    ]);
    const others = [...calls()].filter(([name]) => expected.get(name) !== 0 && !isLocal(name));
    expect(others.length).toBeGreaterThan(100);
    const found: [string, number | undefined][] = [];
    for (const [name, make] of others) {
      statuses = [];
      const given = argumentFor(name);
      await make(
        name === 'webhooks.update' ? await webhookId() : given,
        name === 'webhooks.update' ? { endpoint: 'nowhere' } : given,
      );
      found.push([name, statuses.at(-1)]);
    }
    expect(found).toEqual(others.map(([name]) => [name, expected.get(name) ?? 404]));
  });
});

async function webhookId(): Promise<string> {
  return 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy';
}

/** The fields that are always in an answer, as the compiler knows them from the client. */
type Always<Fields> = { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: true };

describe('docs/resend.md on the fields of answers', () => {
  const promised = {
    'emails.get': {
      ...{ object: true, id: true, created_at: true, from: true, to: true, cc: true, bcc: true, reply_to: true },
      ...{ subject: true, html: true, text: true, message_id: true, last_event: true, scheduled_at: true },
    } satisfies Always<GetEmailResponseSuccess>,
    'templates.get': {
      ...{ object: true, id: true, name: true, subject: true, html: true, text: true, status: true, variables: true },
      ...{ alias: true, from: true, reply_to: true, published_at: true, created_at: true, updated_at: true },
      ...{ has_unpublished_versions: true, current_version_id: true },
    } satisfies Always<GetTemplateResponseSuccess>,
    'domains.get': {
      ...{ object: true, id: true, name: true, created_at: true, region: true, status: true, capabilities: true },
      ...{ records: true },
    } satisfies Always<GetDomainResponseSuccess>,
  };

  it('names those that are absent', async () => {
    const { data: sent } = await resend.emails.send(email);
    const { data: template } = await resend.templates.create({ name: 'A', subject: 'A', html: '<p>A</p>' });
    const answers: Record<string, object | null> = {
      'emails.get': (await resend.emails.get(sent?.id ?? '')).data,
      'templates.get': (await resend.templates.get(template?.id ?? '')).data,
      'domains.get': (await resend.domains.get('example.com')).data,
    };
    for (const [name, fields] of Object.entries(promised)) {
      const absent = Object.keys(fields).filter((field) => !(field in (answers[name] ?? {})));
      const ours = ['status', 'events', 'version', 'verified'];
      const named = row(`\`${name}\``).filter((field) => field in fields || !ours.includes(field));
      expect([name, named.toSorted()]).toEqual([name, absent.toSorted()]);
    }
  });
});

describe('docs/resend.md on webhooks.create and webhooks.update', () => {
  it('documents their fields', async () => {
    expect(row('422').slice(0, 3)).toEqual(['webhooks.create', 'endpoint', 'url']);
    expect(row('partly').slice(0, 4)).toEqual(['webhooks.update', 'events', 'endpoint', 'status']);
    const { body: webhook } = await call(service, 'POST', '/api/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/', events: ['email.delivered'] },
    });
    const changed = {
      endpoint: 'http://127.0.0.1:10/',
      events: ['email.bounced' as const],
      status: 'disabled' as const,
    };
    expect((await resend.webhooks.update(webhook.id, changed)).error).toBeNull();
    const { body: now } = await call(service, 'GET', `/api/v1/webhooks/${webhook.id}`);
    expect(now).toMatchObject({ url: webhook.url, events: ['email.bounced'], enabled: true });
  });
});

describe('docs/resend.md on the fields of emails.send', () => {
  it('names ignored fields: the message is sent without them', async () => {
    expect(row('ignored')).toEqual(['topicId']);
    const to = 'ignored@example.net';
    const { error } = await resend.emails.send({ ...email, to, topicId: 'topic' });
    expect(error).toBeNull();
    await eventually(async () => (await received(service, to)).mail.subject === 'Hello');
  });

  it('names refused fields', async () => {
    expect(row('refused')).toEqual(['attachments[].path']);
    const path = await resend.emails.send({
      ...email,
      attachments: [{ filename: 'a.txt', path: 'https://example.com/a' }],
    });
    expect(path.error?.statusCode).toBe(422);
  });

  it('sends a template with its variables', async () => {
    const { data } = await resend.templates.create({
      ...{ name: 'Receipt', subject: 'Receipt {{{ORDER}}}', html: '<p>{{{NAME}}}, {{{ORDER}}}</p>' },
      variables: [
        { key: 'NAME', type: 'string', fallbackValue: 'you' },
        { key: 'ORDER', type: 'number' },
      ],
    });
    const { from } = email;
    const to = 'template@example.net';
    const template = { id: data?.id ?? '', variables: { ORDER: 7 } };
    expect((await resend.emails.send({ from, to, template })).error).toBeNull();
    const { mail } = await received(service, to);
    expect([mail.subject, mail.html]).toEqual(['Receipt 7', expect.stringContaining('<p>you, 7</p>')]);
    const missing = await resend.emails.send({ from, to, template: { id: template.id, variables: {} } });
    expect([missing.error?.statusCode, missing.error?.name]).toEqual([422, 'validation_error']);
  });
});
