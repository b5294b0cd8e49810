import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { type Answer, call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body, headers });
const issues = ({ body }: Answer) => body.error.details.issues.map((issue: { path: string }) => issue.path);

async function someone(): Promise<string> {
  const email = `p${randomUUID().slice(0, 12)}@example.net`;
  expect((await ask('POST', '/subscribers', { email, double_opt_in: false })).status).toBe(201);
  return email;
}
const listed = async (email: string, query = '') =>
  (await ask('GET', `/events?email=${encodeURIComponent(email)}${query}`)).body;

describe('POST /events', () => {
  it('records an event and lists it', async () => {
    const email = await someone();
    const given = { name: 'order_placed', email: email.toUpperCase(), data: { amount: 42 }, external_id: 'order-1' };
    const { status, body } = await ask('POST', '/events', given);
    expect([status, body]).toEqual([
      202,
      {
        ...{ object: 'event', id: expect.stringMatching(/^event_/), name: 'order_placed', email, recorded: true },
        ...{ reason: null, replayed: false, timestamp: body.created_at, created_at: expect.any(String) },
      },
    ]);
    expect((await ask('POST', '/events', given)).body).toEqual({ ...body, replayed: true });
    expect(await listed(email)).toEqual({
      object: 'list',
      data: [{ ...body, data: { amount: 42 } }],
      has_more: false,
      next_cursor: null,
    });
  });

  it('creates nobody', async () => {
    const email = `p${randomUUID()}@example.net`;
    const { status, body } = await ask('POST', '/events', { name: 'visit', email });
    expect([status, body.recorded, body.reason, body.id]).toEqual([202, false, 'unknown_subscriber', null]);
    expect((await ask('GET', `/subscribers/${email}`)).status).toBe(404);
  });

  it.each([
    [{ name: 'a b' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: 'email.opened' }, 'name'],
    [{ name: 'mailroom.x' }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ email: undefined }, 'email'],
    [{ data: [] }, 'data'],
    [{ data: { a: { b: { c: {} } } } }, 'data'],
    [{ data: { a: 'é'.repeat(2000) } }, 'data'],
    [{ external_id: '' }, 'external_id'],
    [{ external_id: 'é' }, 'external_id'],
    [{ external_id: 'x'.repeat(201) }, 'external_id'],
    [{ timestamp: 'yesterday' }, 'timestamp'],
    [{ timestamp: '2020-01-01T00:00:00Z' }, 'timestamp'],
    [{ timestamp: new Date(Date.now() + 10 * 60_000).toISOString() }, 'timestamp'],
    [{ externalId: 'x' }, 'externalId'],
  ])('refuses %j', async (wrong, path) => {
    const answer = await ask('POST', '/events', { name: 'visit', email: 'ada@example.net', ...wrong });
    expect([answer.status, issues(answer)]).toEqual([422, [path]]);
  });

  it('answers a repeated call under the same key as the first one, and keeps no address for it', async () => {
    const email = await someone();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await ask('POST', '/events', { name: 'visit', email }, headers);
    const second = await ask('POST', '/events', { name: 'visit', email }, headers);
    expect([second.body, second.headers.get('idempotent-replay')]).toEqual([first.body, 'true']);
    expect((await listed(email)).data).toHaveLength(1);
    const other = await ask('POST', '/events', { name: 'other', email }, headers);
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_key_reused']);
  });
});

describe('POST /events/batch', () => {
  it('answers each event in order', async () => {
    const email = await someone();
    const headers = { 'Idempotency-Key': randomUUID() };
    const entries = [
      { name: 'visit', email },
      { name: 'visit', email: 'nobody-at-all@example.net' },
    ];
    const { status, body } = await ask('POST', '/events/batch', entries, headers);
    expect([status, body.object, body.data.map((one: { recorded: boolean }) => one.recorded)]).toEqual([
      ...[202, 'batch'],
      [true, false],
    ]);
    expect((await ask('POST', '/events/batch', entries, headers)).body).toEqual(body);
    expect((await listed(email)).data).toHaveLength(1);
  });

  it('records nothing when one is malformed', async () => {
    const email = await someone();
    const visit = { name: 'visit', email };
    const answer = await ask('POST', '/events/batch', [visit, visit, visit, { email }]);
    expect([answer.status, issues(answer)]).toEqual([422, ['[3].name']]);
    expect((await listed(email)).data).toEqual([]);
    expect((await ask('POST', '/events/batch', Array(101).fill(visit))).status).toBe(422);
    expect((await ask('POST', '/events/batch', [])).status).toBe(422);
  });
});

describe('GET /events', () => {
  it('is paged, by cursor or id, and filtered by name', async () => {
    const email = await someone();
    await ask(
      'POST',
      '/events/batch',
      ['a', 'b', 'a'].map((name) => ({ name, email })),
    );
    const first = await listed(email, '&limit=2');
    expect([first.data.map(({ name }: { name: string }) => name), first.has_more]).toEqual([['a', 'b'], true]);
    const rest = await listed(email, `&limit=2&cursor=${first.next_cursor}`);
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
    expect(await listed(email, `&limit=2&after=${first.data[1].id}`)).toEqual(rest);
    expect((await listed(email, '&name=b')).data).toHaveLength(1);
    expect((await ask('GET', '/events')).status).toBe(422);
  });

  it('shows nothing of another workspace', async () => {
    const email = await someone();
    await ask('POST', '/events', { name: 'visit', email });
    const other = await newWorkspace(service);
    const { body } = await call({ ...service, apiKey: other.apiKey }, 'GET', `/api/v1/events?email=${email}`);
    expect(body.data).toEqual([]);
  });
});

describe('a segment of people who did something', () => {
  it('is counted, exported, previewed and sent to alike', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const name = `n${randomUUID().slice(0, 8)}`;
    await ask('POST', '/events/batch', [
      { name, email: ada },
      { name, email: ada },
      { name, email: bob, timestamp: new Date(Date.now() - 10 * 86_400_000).toISOString() },
    ]);
    const reached = async (rule: object) => {
      const { body } = await ask('POST', '/segments/preview', { rule });
      return body.sample.map(({ email }: { email: string }) => email).sort();
    };
    const exists = { event: name, operator: 'exists' };
    expect(await reached(exists)).toEqual([ada, bob].sort());
    expect(await reached({ event: name, operator: 'count_at_least', value: 2 })).toEqual([ada]);
    expect(await reached({ all: [exists, { not: { event: name, operator: 'within_last_days', value: 9 } }] })).toEqual([
      bob,
    ]);
    const { body: segment } = await ask('POST', '/segments', { name, rule: exists });
    const from = `hello@${workspace.domain}`;
    const { body: campaign } = await ask('POST', '/campaigns', {
      ...{ name, subject: 'Hello', from, text: 'Hello', segment_id: segment.id },
    });
    const dryRun = await ask('POST', `/campaigns/${campaign.id}/send`, { dry_run: true });
    expect(dryRun.body.recipients).toBe(2);
    const toList = await ask('POST', `/campaigns/${campaign.id}/send`, { dry_run: true, to: [ada, await someone()] });
    expect(toList.body.audience).toMatchObject({ retained: 1, reasons: { outside_segment: 1 } });
    const { exportSubscribers } = await import('../../../shared/services/exports.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    let lines = '';
    const request = { format: 'jsonl' as const, segment: segment.id };
    for await (const piece of exportSubscribers(operatorContext(workspace.workspaceId), request)) lines += piece.text;
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).email)
        .sort(),
    ).toEqual([ada, bob].sort());
  });
});

describe('the resend client', () => {
  it('sends events', async () => {
    const email = await someone();
    const resend = new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });
    const sent = await resend.events.send({ event: 'visit', email, payload: { page: '/' } });
    expect(sent.data).toMatchObject({ object: 'event', event: 'visit', recorded: true });
    const byContact = await resend.events.send({ event: 'visit', contactId: email });
    expect(byContact.data).toMatchObject({ object: 'event', event: 'visit', recorded: true });
    expect((await listed(email)).data.map(({ data }: { data: object }) => data)).toEqual([{}, { page: '/' }]);
    const byId = await resend.events.send({ event: 'visit', contactId: 'c0ffee' });
    expect(byId.error?.statusCode).toBe(422);
  });

  it('has no definitions of events', async () => {
    const { events } = new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });
    const answers = [
      await events.create({ name: 'visit' }),
      await events.list(),
      await events.get('visit'),
      await events.update('visit', { schema: null }),
      await events.remove('visit'),
    ];
    expect(answers.map(({ error }) => error?.statusCode)).toEqual([422, 422, 404, 404, 404]);
  });
});
