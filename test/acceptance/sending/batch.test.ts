import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { ageClaims } from '../claims.ts';
import { type Answer, call, eventually } from '../client.ts';
import { everyMessage, inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { addUsage } from '../usage.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service, { plan: 'starter' });
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const email = (to: string | string[], over: object = {}) => ({
  from: `hello@${workspace.domain}`,
  to,
  subject: 'One of many',
  text: 'Hi.',
  ...over,
});
const people = (count: number) => Array.from({ length: count }, someone);

const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, options);
const send = (body: unknown, { key, ...headers }: Record<string, string> = {}): Promise<Answer> =>
  ask('POST', '/emails/batch', { body, headers: { ...headers, ...(key && { 'Idempotency-Key': key }) } });
const permissive = { 'X-Batch-Validation': 'permissive' };
const remaining = async (): Promise<number> => (await ask('GET', '/me')).body.emails_remaining;
const mailTo = async (to: readonly string[]): Promise<number[]> =>
  Promise.all(to.map(async (one) => (await inbox(service, one)).length));

async function suppressed(): Promise<string> {
  const address = someone();
  await ask('POST', '/suppression', { body: { email: address, reason: 'complaint' } });
  return address;
}

describe('POST /emails/batch', () => {
  it('sends each email to its own recipients only, and counts them all', async () => {
    const to = people(5);
    const before = await remaining();
    const { status, body } = await send(to.map((one, index) => email(one, { subject: `No ${index}` })));
    expect([status, body.object, body.data.length]).toEqual([202, 'batch', 5]);
    expect(body).not.toHaveProperty('errors');
    expect(await mailTo(to)).toEqual(to.map(() => 1));
    expect(before - (await remaining())).toBe(5);
    for (const [index, { id }] of body.data.entries()) {
      const shown = await eventually(async () => {
        const { body: detail } = await ask('GET', `/emails/${id}`);
        return detail.status === 'delivered' && detail;
      });
      expect([shown.to, shown.subject]).toEqual([[to[index]], `No ${index}`]);
    }
  });

  it('accepts a hundred emails to fifty recipients each', async () => {
    const to = Array.from({ length: 100 }, () => people(50));
    const { status, body } = await send(to.map((each) => email(each)));
    expect([status, body.data?.length]).toEqual([202, 100]);
    let recipients = 0;
    for await (const message of everyMessage(service)) {
      if (message.subject === 'One of many') recipients += message.recipients.length;
    }
    expect(recipients).toBe(5000);
  }, 120_000);

  it.each([
    ['no list', {}, [{ path: '', message: 'the body must be a JSON array' }]],
    ['nobody', [], [{ path: '', message: 'must have at least one entry' }]],
  ])('422 for %s', async (_what, body, issues) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.details]).toEqual([422, { issues }]);
  });

  it('422 for 101, in either validation mode', async () => {
    const body = Array.from({ length: 101 }, () => email('ada@example.net'));
    for (const headers of [{}, permissive]) {
      const answer = await send(body, headers);
      expect(answer.body.error.details.issues).toEqual([{ path: '', message: 'must have at most 100 entries' }]);
    }
  });
});

describe('one refused email refuses all of them', () => {
  it('names all problems of each, with its index first in the path', async () => {
    const { status, body } = await send([email('ada@example.net'), email('nobody', { subject: '' }), { to: [1] }, 7]);
    expect([status, body.name]).toEqual([422, 'validation_error']);
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['[1].to', '[1].subject', '[2].from', '[2].to[0]', '[3]']));
    expect(paths.filter((path: string) => path.startsWith('[0]'))).toEqual([]);
  });

  it('sends nothing and counts nothing, whichever check refuses', async () => {
    const [good, left] = [someone(), await suppressed()];
    const before = await remaining();
    const bodies = [
      [email(good), email(['ada@example.net', left])],
      [email(good), email('ada@example.net', { from: 'a@elsewhere.example' }), email(left)],
      [email(good), email('ada@example.net', { from: 'nowhere' })],
    ];
    const answers = await Promise.all(bodies.map((body) => send(body)));
    const told = answers.map(({ status, body: { name, error } }) => [
      status,
      name,
      error.details.issues.map(({ path }: { path: string }) => path),
    ]);
    expect(told).toEqual([
      [422, 'suppressed_recipient', ['[1].to[1]']],
      [422, 'unverified_from_domain', ['[1].from', '[2].to']],
      [422, 'validation_error', ['[1].from']],
    ]);
    expect(answers[0]?.body.error.details.recipients).toEqual([
      { email: left, reason: 'complaint', scope: 'organization' },
    ]);
    expect(answers[1]?.body.error.details.verifiedDomains).toEqual([workspace.domain]);
    expect([await mailTo([good]), await remaining()]).toEqual([[0], before]);
  });

  it('402 when the quota does not suffice for all of them', async () => {
    const small = await newWorkspace(service, { plan: 'free' });
    const body = Array.from({ length: 61 }, () => email(people(50), { from: `a@${small.domain}` }));
    const answer = await call({ ...service, apiKey: small.apiKey }, 'POST', '/api/v1/emails/batch', { body });
    expect([answer.status, answer.body.error.details.requested]).toEqual([402, 3050]);
    const { body: account } = await call({ ...service, apiKey: small.apiKey }, 'GET', '/api/v1/me');
    expect(account.emails_remaining).toBe(3000);
  });
});

describe('X-Batch-Validation: permissive', () => {
  it('sends the good ones and lists the others, in the language of the call', async () => {
    const [first, last, left] = [someone(), someone(), await suppressed()];
    const body = [email(first), { to: 5 }, email(left), email(last, { from: 'a@elsewhere.example' }), email(last)];
    const answer = await send(body, { ...permissive, 'Accept-Language': 'fr' });
    expect([answer.status, answer.body.data.length]).toEqual([202, 2]);
    expect(answer.body.errors.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3]);
    expect(answer.body.errors[1].message).toContain('liste d’exclusion');
    expect(await mailTo([first, last])).toEqual([1, 1]);
  });

  it('replays the same result under its key, refusals included, whatever has changed meanwhile', async () => {
    const [good, late, left, key] = [someone(), someone(), await suppressed(), randomUUID()];
    const body = [email(left), email(good), { to: 5 }, email(late)];
    const first = await send(body, { ...permissive, key });
    await ask('POST', '/suppression', { body: { email: good } });
    const again = await send(body, { ...permissive, key });
    expect([first.status, again.status, again.headers.get('idempotent-replay')]).toEqual([202, 202, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await mailTo([good, late, left])).toEqual([1, 1, 0]);
  });
});

describe('Idempotency-Key of a batch', () => {
  it('replays the same ids and sends nothing twice', async () => {
    const [to, key] = [people(3), randomUUID()];
    const body = to.map((one) => email(one));
    const [first, second] = [await send(body, { key }), await send(body, { key })];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(await mailTo(to)).toEqual([1, 1, 1]);
    const other = await send(body.slice(1), { key });
    expect([other.status, other.body.name]).toEqual([409, 'idempotency_key_reused']);
    const alone = await ask('POST', '/emails', { body: body[0], headers: { 'Idempotency-Key': key } });
    expect([alone.status, alone.body.name]).toEqual([409, 'idempotency_key_reused']);
  });

  it('is free again after a refusal', async () => {
    const [to, key] = [someone(), randomUUID()];
    expect((await send([email(to), email(await suppressed())], { key })).status).toBe(422);
    expect((await send([email(to)], { key })).status).toBe(202);
  });
});

describe('scheduled emails of a batch', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const later = (to: string, seconds = 3600) => email(to, { scheduled_at: inSeconds(seconds) });
  const statusOf = async (id: string): Promise<string> => (await ask('GET', `/emails/${id}`)).body.status;

  it('wait for their own times beside those that are sent now, and count when they are sent', async () => {
    const [now, soon, month] = people(3) as [string, string, string];
    const before = await remaining();
    const { status, body } = await send([later(soon, 3), email(now), later(month, 29 * 86_400)]);
    expect([status, body.data.length]).toEqual([202, 3]);
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    expect([await mailTo([now, soon, month]), before - (await remaining())]).toEqual([[1, 0, 0], 1]);
    expect([await statusOf(ids[0] ?? ''), await statusOf(ids[2] ?? '')]).toEqual(['scheduled', 'scheduled']);
    await eventually(async () => (await mailTo([soon])).join() === '1');
    expect(before - (await remaining())).toBe(2);
    expect((await ask('POST', `/emails/${ids[2]}/cancel`)).status).toBe(200);
  });

  it('are all refused for one invalid time, or sent without that email', async () => {
    const [one, other] = people(2) as [string, string];
    const body = [email(one), later(other, -5), later(other, 31 * 86_400)];
    const strict = await send(body);
    expect([strict.status, strict.body.error.details.issues.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ['[1].scheduled_at', '[2].scheduled_at'],
    ]);
    expect(await mailTo([one])).toEqual([0]);
    const { status, body: told } = await send(body, permissive);
    expect([status, told.data.length, told.errors.map(({ index }: { index: number }) => index)]).toEqual([
      202,
      1,
      [1, 2],
    ]);
  });

  it('are the same under the same key, whether scheduled, canceled or sent', async () => {
    const [to, key] = [people(4), randomUUID()];
    const [soon, canceled, now, far] = to as [string, string, string, string];
    const body = [later(soon, 4), later(canceled), email(now), later(far)];
    const [first, twin] = await Promise.all([send(body, { key }), send(body, { key })]);
    const answers = [first, twin].filter(({ status }) => status === 202);
    expect(answers.length).toBeGreaterThan(0);
    await ask('POST', `/emails/${answers[0]?.body.data[1].id}/cancel`);
    await eventually(async () => (await mailTo([soon])).join() === '1');
    const again = await send(body, { key });
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([202, 'true']);
    for (const { body: answer } of answers) expect(again.body).toEqual(answer);
    expect(await statusOf(again.body.data[1].id)).toBe('canceled');
    expect(await mailTo(to)).toEqual([1, 0, 1, 0]);
  });

  it('are not scheduled when the provider refuses the first of a strict batch, and are by the next call', async () => {
    const [now, soon, key] = [someone(), someone(), randomUUID()];
    await setFaults(service, { error: { name: 'MessageRejected', next: 1 } });
    const body = [later(soon, 3600), email(now)];
    const answer = await send(body, { key });
    const told = answer.body.error.details.emails.map(({ status }: { status: string }) => status);
    expect([answer.status, told]).toEqual([502, ['not_sent', 'not_sent']]);
    expect((await ask('GET', `/emails/${answer.body.error.details.emails[0].id}`)).status).toBe(404);
    expect((await send(body, { key })).status).toBe(202);
  });

  it('are sent at once when their time passes while the key waits for an event of another', async () => {
    const [now, soon, key] = [someone(), someone(), randomUUID()];
    await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: 10_000 });
    const body = [later(soon, 2), email(now)];
    const lost = await send(body, { key });
    const told = lost.body.error.details.emails.map(({ status }: { status: string }) => status);
    expect([lost.status, told]).toEqual([502, ['not_sent', 'unknown']]);
    await setFaults(service);
    await ageClaims(service, workspace.workspaceId, [key], 70);
    await eventually(async () => (await send(body, { key })).status === 202);
    await eventually(async () => (await mailTo([now, soon])).join() === '1,1');
  }, 60_000);

  it('stay scheduled when a later one of the batch is refused, and the key goes on with the rest', async () => {
    const [to, key] = [people(3), randomUUID()];
    await setFaults(service, { error: { name: 'MessageRejected', skip: 1, next: 1 } });
    const body = [later(to[0] ?? ''), email(to[1] ?? ''), email(to[2] ?? '')];
    const answer = await send(body, { key });
    const { emails } = answer.body.error.details;
    expect([answer.status, emails.map(({ status }: { status: string }) => status)]).toEqual([
      502,
      ['scheduled', 'sent', 'not_sent'],
    ]);
    expect(await statusOf(emails[0].id)).toBe('scheduled');
    const again = await send(body, { key });
    expect(again.body.data).toEqual(emails.map(({ id }: { id: string }) => ({ id })));
    expect(await mailTo(to)).toEqual([0, 1, 1]);
  });

  it('402 when the quota does not suffice for those of this month and those of now together', async () => {
    const small = await newWorkspace(service, { plan: 'free' });
    const from = `a@${small.domain}`;
    const tomorrow = email(people(50), { from, scheduled_at: inSeconds(60) });
    const body = [
      ...Array.from({ length: 30 }, () => email(people(50), { from })),
      ...Array.from({ length: 31 }, () => tomorrow),
    ];
    const ask402 = (given: unknown) =>
      call({ ...service, apiKey: small.apiKey }, 'POST', '/api/v1/emails/batch', { body: given });
    const answer = await ask402(body);
    expect([answer.status, answer.body.error.details.requested]).toEqual([402, 3050]);
    // What is sent in another month counts in that month.
    const next = new Date(Date.now() + 29 * 86_400_000);
    const isOther = next.getUTCMonth() !== new Date().getUTCMonth();
    const other = await ask402(body.map((one) => ({ ...one, scheduled_at: next.toISOString() })));
    expect(other.status).toBe(isOther ? 202 : 402);
  });
});

describe('502 send_failed', () => {
  const statuses = ({ body }: Answer) => body.error.details.emails.map(({ status }: { status: string }) => status);

  it('sends nothing of a strict batch whose first email the provider refuses', async () => {
    const [to, key] = [people(3), randomUUID()];
    await setFaults(service, { error: { name: 'MessageRejected', next: 1 } });
    const before = await remaining();
    const body = to.map((one) => email(one));
    const answer = await send(body, { key });
    expect([answer.status, statuses(answer)]).toEqual([502, ['not_sent', 'not_sent', 'not_sent']]);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect([await mailTo(to), await remaining()]).toEqual([[0, 0, 0], before]);
    expect((await send(body, { key })).status).toBe(202);
    expect(await mailTo(to)).toEqual([1, 1, 1]);
  });

  it('says that the same batch may succeed later, when the obstacle is not one of its emails', async () => {
    const [to, key] = [people(3), randomUUID()];
    await setFaults(service, { error: { name: 'ExpiredTokenException', next: 1 } });
    const before = await remaining();
    const body = to.map((one) => email(one));
    const answer = await send(body, { key });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '60']);
    expect(answer.body.message).toMatch(/^Nothing was sent: .* The same call may succeed later\.$/);
    expect([statuses(answer), await remaining()]).toEqual([['not_sent', 'not_sent', 'not_sent'], before]);
    expect((await send(body, { key })).status).toBe(202);
    expect(await mailTo(to)).toEqual([1, 1, 1]);
  });

  it('has the outcome of each email, gives back what was not sent, and sends the rest under the key', async () => {
    const [to, key] = [people(6), randomUUID()];
    await setFaults(service, { error: { name: 'MessageRejected', skip: 2, next: 2 } });
    const before = await remaining();
    const body = to.map((one) => email(one));
    const answer = await send(body, { key });
    const told = statuses(answer);
    expect(answer.status).toBe(502);
    expect(told.toSorted()).toEqual(['not_sent', 'not_sent', 'sent', 'sent', 'sent', 'sent']);
    expect(answer.body.error.details.provider_code).toBe('MessageRejected');
    expect(answer.body.error.details.accepted).toHaveLength(4);
    expect(before - (await remaining())).toBe(4);
    const again = await send(body, { key });
    expect(again.status).toBe(202);
    expect(again.body.data.map(({ id }: { id: string }) => id)).toEqual(
      answer.body.error.details.emails.map(({ id }: { id: string }) => id),
    );
    expect([await mailTo(to), before - (await remaining())]).toEqual([to.map(() => 1), 6]);
  });

  it('names the emails with an unknown outcome, and sends none of them again before it is known', async () => {
    const [to, key] = [people(4), randomUUID()];
    await setFaults(service, { drop_after_accept: { skip: 1, next: 1 }, event_delay_ms: 12_000 });
    const body = to.map((one) => email(one));
    const answer = await send(body, { key });
    expect([answer.status, statuses(answer).toSorted()]).toEqual([502, ['sent', 'sent', 'sent', 'unknown']]);
    expect(answer.body.error.details.unknown).toHaveLength(1);
    const early = await send(body, { key });
    expect([early.status, early.body.error.details.status]).toEqual([409, 'in_progress']);
    await setFaults(service);
    await ageClaims(service, workspace.workspaceId, [key], 70);
    const waits = await send(body, { key });
    expect([waits.status, waits.body.error.details.status]).toEqual([409, 'unconfirmed']);
    const settled = await eventually(async () => {
      const again = await send(body, { key });
      return again.status === 202 && again;
    });
    expect(settled.body.data).toHaveLength(4);
    expect(await mailTo(to)).toEqual([1, 1, 1, 1]);
  }, 120_000);
});

describe('a batch at the end of its quota', () => {
  const inAMinute = () => new Date(Date.now() + 60_000).toISOString();

  it.each([
    ['all at once', 2997, () => []],
    // Later, and in this month unless it ends before.
    ['one of them later', 2996, () => [{ scheduled_at: inAMinute() }]],
  ])(
    'gets 409 and not 402 while a crashed call under its key may hold the missing quota: %s',
    async (_, used, others) => {
      const small = await newWorkspace(service, { plan: 'free' });
      await addUsage(service, small.workspaceId, { used });
      await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: 60_000 });
      const from = `a@${small.domain}`;
      const body = [
        ...people(3).map((to) => email(to, { from })),
        ...others().map((one) => email(someone(), { from, ...one })),
      ];
      const key = randomUUID();
      const options = { body, headers: { 'Idempotency-Key': key } };
      const again = () => call({ ...service, apiKey: small.apiKey }, 'POST', '/api/v1/emails/batch', options);
      const lost = await again();
      expect([lost.status, lost.body.error.details.unknown?.length]).toEqual([502, 1]);
      await ageClaims(service, small.workspaceId, [key], 301);
      for (const _ of [1, 2]) {
        const waits = await again();
        expect([waits.status, waits.body.error.details, waits.headers.get('retry-after')]).toEqual([
          409,
          { status: 'unconfirmed' },
          '30',
        ]);
      }
    },
    60_000,
  );
});

describe('a provider that throttles', () => {
  it('gets them in their turn, and single emails too: each once, under one key and one quota', async () => {
    await setFaults(service, { rate_per_second: 7 });
    const [to, others, key] = [people(60), people(4), randomUUID()];
    const before = await remaining();
    const body = to.map((one) => email(one));
    const batch = await send(body, { key });
    const singles = await Promise.all(others.map((one) => ask('POST', '/emails', { body: email(one) })));
    expect([batch.status, ...singles.map(({ status }) => status)]).toEqual([202, 202, 202, 202, 202]);
    expect(before - (await remaining())).toBe(64);
    const again = await send(body, { key });
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([202, batch.body, 'true']);
    const ids: string[] = batch.body.data.map(({ id }: { id: string }) => id);
    const statuses = async () =>
      Promise.all(ids.map(async (id) => (await ask('GET', `/emails/${id}`)).body.status as string));
    expect(await statuses()).toContain('scheduled');
    await eventually(async () => !(await mailTo([...to, ...others])).includes(0), 120);
    await eventually(async () => !(await statuses()).includes('scheduled'), 120);
    expect((await send(body, { key })).body).toEqual(batch.body);
    expect(await mailTo([...to, ...others])).toEqual([...to, ...others].map(() => 1));
    expect(before - (await remaining())).toBe(64);
  }, 300_000);
});

describe('batch.send of the resend client, unchanged', () => {
  const client = () => new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });

  it('answers {data: [{id}]}', async () => {
    const to = people(2);
    const { data, error } = await client().batch.send(
      to.map((one) => email(one)),
      { idempotencyKey: randomUUID() },
    );
    expect([error, data?.data]).toEqual([null, [{ id: expect.any(String) }, { id: expect.any(String) }]]);
    expect(await mailTo(to)).toEqual([1, 1]);
  });

  it('answers {errors: [{index, message}]} when it is permissive', async () => {
    const to = someone();
    const { data } = await client().batch.send([email('nobody'), email(to)], { batchValidation: 'permissive' });
    expect([data?.data.length, data?.errors]).toEqual([1, [{ index: 0, message: expect.stringContaining('to: ') }]]);
  });
});
