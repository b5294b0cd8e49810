import { call, eventually } from '../client.ts';
import { eventOf, type Receiver, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { verifyWebhook } from './verifyWebhook.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, method, `/api/v1/webhooks${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(headers && { headers }),
  });

const create = async (fields: Record<string, unknown> = {}) =>
  (await api('POST', '', { url: receiver.url, events: ['email.delivered'], ...fields })).body;

const unknownId = 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy';
const unknownDelivery = 'whd_01k9zq3v5c8r2m4n6p7s9t0wxy';

describe('POST /webhooks', () => {
  it('returns the subscription with its secret; the name is the host by default', async () => {
    const { status, body } = await api('POST', '', { url: receiver.url, events: ['email.opened', 'email.opened'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      object: 'webhook',
      name: new URL(receiver.url).host,
      url: receiver.url,
      events: ['email.opened'],
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
  });

  it('cuts a long host to the length of a name', async () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.localhost`;
    const { status, body } = await api('POST', '', { url: `http://${host}:8080/`, events: ['email.opened'] });
    expect([status, body.name]).toEqual([201, host.slice(0, 80)]);
  });

  const events = ['email.delivered'];
  const url = 'https://example.com/hook';
  it.each([
    ['nothing', {}, ['url', 'events']],
    ['no event', { url, events: [] }, ['events']],
    ['an unknown event', { url, events: ['email.lost'] }, ['events[0]']],
    ['a long name', { url, events, name: 'x'.repeat(81) }, ['name']],
    ['a switch that is none', { url, events, enabled: 'yes' }, ['enabled']],
    ['no URL', { url: 'example.com', events }, ['url']],
    ['plain http', { url: 'http://example.com/', events }, ['url']],
    ['another scheme', { url: 'ftp://example.com/', events }, ['url']],
    ['credentials', { url: 'https://ada:secret@example.com/', events }, ['url']],
    ['a fragment', { url: 'https://example.com/#x', events }, ['url']],
    ['a private address', { url: 'https://10.0.0.1/', events }, ['url']],
    ['a decimal address', { url: 'https://167772161/', events }, ['url']],
    ['the metadata service', { url: 'https://169.254.169.254/', events }, ['url']],
    ['a mapped address', { url: 'https://[::ffff:10.0.0.1]/', events }, ['url']],
    ['a local name', { url: 'https://printer.local/', events }, ['url']],
  ])('422 for %s', async (_, body, paths) => {
    const answer = await api('POST', '', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.code).toBe('validation_error');
    expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual(paths);
    expect((await api('GET', '')).body.data).toEqual([]);
  });

  it('allows 20 in a workspace, however many calls race', async () => {
    const answers = await Promise.all(
      Array.from({ length: 26 }, () => api('POST', '', { url: receiver.url, events: ['email.delivered'] })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6);
    const { body } = await api('GET', '');
    expect(body.data).toHaveLength(20);
    expect((await api('DELETE', `/${body.data[0].id}`)).status).toBe(200);
    expect((await api('POST', '', { url: receiver.url, events: ['email.delivered'] })).status).toBe(201);
  });
});

describe('GET /webhooks', () => {
  it('lists them newest first, without secrets; a single one shows it at any time', async () => {
    const [first, second] = [await create({ name: 'First' }), await create({ name: 'Second' })];
    const { body } = await api('GET', '');
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Second', 'First']);
    expect(JSON.stringify(body)).not.toContain('whsec_');
    expect((await api('GET', `/${first.id}`)).body).toEqual(first);
    expect((await api('GET', `/${second.id}`)).body.secret).toBe(second.secret);
  });

  it('goes page by page, each of them once, and no cursor leads into another list', async () => {
    const names = ['C', 'B', 'A'];
    for (const name of names.toReversed()) await create({ name });
    const first = await api('GET', '?limit=2');
    const second = await api('GET', `?limit=2&cursor=${first.body.next_cursor}`);
    const named = [first, second].map(({ body }) => body.data.map(({ name }: { name: string }) => name));
    expect(named).toEqual([['C', 'B'], ['A']]);
    expect([first, second].map(({ body }) => body.has_more)).toEqual([true, false]);
    expect((await api('GET', `?limit=3`)).body).toMatchObject({ has_more: false, next_cursor: null });
    const elsewhere = `/${first.body.data[0].id}/deliveries?cursor=${first.body.next_cursor}`;
    expect((await api('GET', elsewhere)).status).toBe(422);
  });
});

describe('a subscription of another workspace', () => {
  it('does not exist', async () => {
    const { id } = await create();
    const delivery = (await api('POST', `/${id}/test`)).body.delivery_id;
    workspace = await newWorkspace(service);
    const answers = await Promise.all([
      api('GET', `/${id}`),
      api('PATCH', `/${id}`, { name: 'Mine' }),
      api('DELETE', `/${id}`),
      api('POST', `/${id}/test`),
      api('GET', `/${id}/deliveries`),
      api('POST', `/${id}/deliveries/${delivery}/replay`),
      api('GET', '/nonsense'),
      api('PATCH', `/${unknownId}`, { rotate_secret: true }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(answers.map(() => [404, 'not_found']));
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('PATCH /webhooks/{id}', () => {
  it('changes the given fields and shows no secret', async () => {
    const { secret: _, ...before } = await create();
    const { status, body } = await api('PATCH', `/${before.id}`, { name: 'New', events: ['email.clicked'] });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'New', events: ['email.clicked'], updated_at: expect.any(String) });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await api('PATCH', `/${before.id}`, {})).body).toEqual(body);
    expect((await api('PATCH', `/${before.id}`, { url: 'https://[::1]/', events: [] })).status).toBe(422);
  });

  it('rotates the secret, twice in a day: previous secrets go on signing', async () => {
    const { id, secret: first } = await create();
    const rotate = async () => {
      expect((await api('PATCH', `/${id}`, { rotate_secret: true })).body).not.toHaveProperty('secret');
      return (await api('GET', `/${id}`)).body.secret;
    };
    const secrets = [first, await rotate(), await rotate()];
    expect(new Set(secrets).size).toBe(3);
    await api('POST', `/${id}/test`);
    const [request] = receiver.requests;
    const header = String(request?.headers['service-signature']);
    expect(header).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){3}$/);
    const nowSeconds = Date.now() / 1000;
    for (const held of secrets) {
      expect(verifyWebhook({ header, body: request?.body ?? '', secret: held, nowSeconds })).toBe(true);
    }
  });

  it('holds deliveries back while disabled, says so, and sends them once enabled', async () => {
    const { id } = await create();
    await api('PATCH', `/${id}`, { enabled: false });
    await send();
    const held = await eventually(async () => (await log(id)).find((entry) => entry.status === 'pending'));
    expect(held).toMatchObject({ attempts: 0, response_status: null, next_attempt_at: null });
    expect(held.error).toMatch(/disabled/);
    expect((await api('GET', `/${id}/deliveries`, undefined, { 'Accept-Language': 'fr' })).body.data[0].error).toMatch(
      /désactivé/,
    );
    expect(receiver.requests).toEqual([]);
    await api('PATCH', `/${id}`, { enabled: true });
    const sent = await eventually(async () => (await log(id)).find((entry) => entry.status === 'delivered'));
    expect(sent).toMatchObject({ id: held.id, event_id: held.event_id, attempts: 1, error: null });
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('ends the subscription and its log', async () => {
    const { id } = await create();
    await api('POST', `/${id}/test`);
    const { status, body } = await api('DELETE', `/${id}`);
    expect([status, body]).toEqual([200, { object: 'webhook', id, deleted: true }]);
    expect((await api('DELETE', `/${id}`)).status).toBe(404);
    expect((await api('GET', `/${id}/deliveries`)).status).toBe(404);
    await send();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('POST /webhooks/{id}/test', () => {
  it('makes one attempt with an event of its own and waits for the reply', async () => {
    receiver.answer((_, response) => response.writeHead(201).end('thanks'));
    const { id, secret } = await create();
    const { status, body } = await api('POST', `/${id}/test`);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'webhook_test',
      delivery_id: expect.stringMatching(/^whd_/),
      status: 'delivered',
      attempts: 1,
      response_status: 201,
      error: null,
    });
    const [request] = receiver.requests;
    if (!request) throw new Error('Nothing came.');
    const event = eventOf(request);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'webhook.test',
      created_at: expect.any(String),
      data: { test: true },
    });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Mailroom/),
        'service-event-id': event.id,
        'service-event-type': 'webhook.test',
      },
    });
    const header = String(request.headers['service-signature']);
    expect(verifyWebhook({ header, body: request.body, secret, nowSeconds: Date.now() / 1000 })).toBe(true);
    expect(await log(id)).toEqual([
      {
        id: body.delivery_id,
        object: 'webhook_delivery',
        event_id: event.id,
        event_type: 'webhook.test',
        status: 'delivered',
        attempts: 1,
        response_status: 201,
        response_body: 'thanks',
        error: null,
        duration_ms: expect.any(Number),
        next_attempt_at: null,
        created_at: event.created_at,
        updated_at: expect.any(String),
      },
    ]);
  });

  it('has the error in the caller’s language, also while disabled, and is not retried', async () => {
    receiver.answer(503);
    const { id } = await create({ enabled: false });
    const { status, body } = await api('POST', `/${id}/test`, undefined, { 'Accept-Language': 'fr' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', attempts: 1, response_status: 503 });
    expect(body.error).toBe('Le destinataire a répondu 503, et non 2xx.');
    expect((await log(id))[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('404 when the subscription was deleted during the attempt', async () => {
    const { id } = await create();
    receiver.answer(async (_, response) => {
      await api('DELETE', `/${id}`);
      response.writeHead(200).end();
    });
    expect((await api('POST', `/${id}/test`)).status).toBe(404);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('GET /webhooks/{id}/deliveries/{deliveryId}', () => {
  it('shows the posted body, byte for byte, and each attempt with its outcome', async () => {
    receiver.answer(503);
    const { id } = await create();
    const { delivery_id: delivery } = (await api('POST', `/${id}/test`)).body;
    receiver.answer(200);
    await api('POST', `/${id}/deliveries/${delivery}/replay`);
    const { status, body } = await api('GET', `/${id}/deliveries/${delivery}`);
    const [request] = receiver.requests;
    expect([status, body.body, body.attempts]).toEqual([200, request?.body, 2]);
    for (const [name, value] of Object.entries(body.headers)) expect(request?.headers[name.toLowerCase()]).toBe(value);
    const { id: _id, object: _object, ...listed } = (await api('GET', `/${id}/deliveries`)).body.data[0];
    expect(body).toMatchObject(listed);
    expect(body.attempt_log).toEqual([
      {
        at: expect.any(String),
        replay: false,
        response_status: 503,
        error: expect.stringContaining('503'),
        duration_ms: expect.any(Number),
      },
      { at: body.updated_at, replay: true, response_status: 200, error: null, duration_ms: expect.any(Number) },
    ]);
  });

  it('is found under its own webhook only', async () => {
    const [one, other] = [await create(), await create()];
    const { delivery_id: delivery } = (await api('POST', `/${one.id}/test`)).body;
    expect((await api('GET', `/${other.id}/deliveries/${delivery}`)).status).toBe(404);
    expect((await api('GET', `/${one.id}/deliveries/${unknownDelivery}`)).status).toBe(404);
  });
});

describe('POST /webhooks/{id}/deliveries/{deliveryId}/replay', () => {
  it('sends the same bytes and event id with a new signature', async () => {
    const { id, secret } = await create();
    await send();
    const [entry] = await eventually(async () => {
      const entries = await log(id);
      return entries[0]?.status === 'delivered' && entries;
    });
    if (!entry) throw new Error('Nothing was delivered.');
    // A signature holds the second: the next one differs.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { status, body } = await api('POST', `/${id}/deliveries/${entry.id}/replay`);
    expect([status, body]).toEqual([
      200,
      { object: 'webhook_delivery', id: entry.id, status: 'delivered', attempts: 2, response_status: 200, error: null },
    ]);
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['service-event-id']).toBe(first?.headers['service-event-id']);
    const header = String(second?.headers['service-signature']);
    expect(header).not.toBe(first?.headers['service-signature']);
    expect(verifyWebhook({ header, body: second?.body ?? '', secret, nowSeconds: Date.now() / 1000 })).toBe(true);
    receiver.answer(500);
    expect((await api('POST', `/${id}/deliveries/${entry.id}/replay`)).body).toMatchObject({
      status: 'failed',
      attempts: 3,
      response_status: 500,
    });
    expect((await log(id))[0]).toMatchObject({ id: entry.id, attempts: 3, status: 'failed', response_status: 500 });
  });

  it('leaves the scheduled retry when it fails, and ends it when it succeeds', async () => {
    receiver.answer(500);
    const { id } = await create();
    await send();
    const [entry] = await eventually(async () => {
      const entries = await log(id);
      return entries[0]?.attempts === 1 && entries;
    });
    if (!entry) throw new Error('Nothing was attempted.');
    expect(entry).toMatchObject({ status: 'pending', response_status: 500 });
    expect(new Date(entry.next_attempt_at).getTime() - new Date(entry.updated_at).getTime()).toBe(30_000);
    const replay = () => api('POST', `/${id}/deliveries/${entry.id}/replay`);
    expect((await replay()).body).toMatchObject({ status: 'pending', attempts: 2 });
    expect((await log(id))[0]).toMatchObject({ next_attempt_at: entry.next_attempt_at, attempts: 2 });
    receiver.answer(204);
    expect((await replay()).body).toMatchObject({ status: 'delivered', attempts: 3 });
    expect((await log(id))[0]).toMatchObject({ next_attempt_at: null, status: 'delivered' });
  });

  it('answers each of eight concurrent calls with its outcome', async () => {
    const { id } = await create();
    await send();
    const entry = await eventually(async () => (await log(id)).find(({ status }) => status === 'delivered'));
    const replay = () => api('POST', `/${id}/deliveries/${entry.id}/replay`);
    const answers = await Promise.all(Array.from({ length: 8 }, replay));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.map(({ body }) => body.attempts).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(receiver.requests).toHaveLength(9);
  });

  it('404 for a delivery that does not exist', async () => {
    const { id } = await create();
    expect((await api('POST', `/${id}/deliveries/${unknownDelivery}/replay`)).status).toBe(404);
    expect((await api('POST', `/${id}/deliveries/nonsense/replay`)).status).toBe(404);
  });
});

describe('GET /webhooks/{id}/deliveries', () => {
  it('is paged, newest first', async () => {
    const { id } = await create();
    for (let count = 0; count < 5; count += 1) await api('POST', `/${id}/test`);
    const all = (await log(id)).map((entry) => entry.id);
    expect(all).toEqual([...all].sort().reverse());
    const first = (await api('GET', `/${id}/deliveries?limit=2`)).body;
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const rest = (await api('GET', `/${id}/deliveries?limit=100&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...rest.data].map(({ id: entry }: { id: string }) => entry)).toEqual(all);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    const other = await create();
    expect((await api('GET', `/${other.id}/deliveries?cursor=${first.next_cursor}`)).status).toBe(422);
    for (const limit of ['0', '101', 'x', '1.5']) {
      expect((await api('GET', `/${id}/deliveries?limit=${limit}`)).status).toBe(422);
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
async function log(id: string): Promise<any[]> {
  return (await api('GET', `/${id}/deliveries`)).body.data;
}

async function send(): Promise<void> {
  const answer = await call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', {
    body: { from: `hello@${workspace.domain}`, to: 'ada@example.net', subject: 'Hello', text: 'Hello.' },
  });
  expect(answer.status).toBe(202);
}
