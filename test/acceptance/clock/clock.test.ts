import { randomUUID } from 'node:crypto';
import { subscribe } from '../campaigns/campaign.ts';
import { call } from '../client.ts';
import { type ClockedService, callClock, startClockedService } from '../clockedService.ts';
import { inbox, setFaults } from '../inbox.ts';
import { eventOf, type Receiver, startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

const dayMilliseconds = 86_400_000;

let service: ClockedService;
let workspace: TestWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startClockedService();
});
beforeEach(async () => {
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const place = () => ({ ...service, apiKey: workspace.apiKey });
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await call(place(), method, `/api/v1${path}`, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const email = (to: string, over: object = {}) => ({
  from: `hello@${workspace.domain}`,
  to,
  subject: 'Hello',
  text: 'Hi.',
  ...over,
});
/** A time of the service so many days from now, at a whole minute. */
const inDays = async (days: number): Promise<Date> => {
  const at = (await service.now()).getTime() + days * dayMilliseconds;
  return new Date(Math.ceil(at / 60_000) * 60_000);
};
/** When the messages to a recipient came into the inbox. */
const arrivals = async (to: string): Promise<Date[]> =>
  (await inbox(service, to)).map((message) => new Date((message as unknown as { created_at: string }).created_at));
const secondsBetween = (one: Date, other: Date): number => (other.getTime() - one.getTime()) / 1000;

describe('a scheduled email', () => {
  it('is in the inbox after an advance, with its own time, and not before', async () => {
    const [to, at] = [someone(), await inDays(10)];
    const { id } = await ask('POST', '/emails', email(to, { scheduled_at: at.toISOString() }));
    await service.advance('9 days');
    expect(await arrivals(to)).toEqual([]);
    const { now, hops, idle, log } = await service.advance('2 days');
    expect([idle, hops > 0, Date.parse(now) > at.getTime()]).toEqual([true, true, true]);
    const [arrived, ...more] = await arrivals(to);
    expect(more).toEqual([]);
    expect(secondsBetween(at, arrived ?? new Date(0))).toBeGreaterThanOrEqual(0);
    expect(secondsBetween(at, arrived ?? new Date(0))).toBeLessThan(10);
    expect(await ask('GET', `/emails/${id}`)).toMatchObject({ status: 'delivered' });
    const sent = log.find(({ done }) => (done.emails ?? 0) > 0);
    expect(Math.abs(Date.parse(sent?.at ?? '') - at.getTime())).toBeLessThan(10_000);
  });

  it('comes in the order of its time with others, whatever the order of the calls', async () => {
    const [late, early] = [someone(), someone()];
    await ask('POST', '/emails', email(late, { scheduled_at: (await inDays(3)).toISOString() }));
    await ask('POST', '/emails', email(early, { scheduled_at: (await inDays(2)).toISOString() }));
    await service.advance('4 days');
    const [[first], [second]] = [await arrivals(early), await arrivals(late)];
    expect(secondsBetween(first ?? new Date(0), second ?? new Date(0))).toBeCloseTo(86_400, -2);
  });
});

describe('a scheduled campaign', () => {
  it('goes out at its time and is done with its reports', async () => {
    const people = [someone(), someone(), someone()];
    await subscribe(place(), people);
    const { id } = await ask('POST', '/campaigns', { name: 'News', subject: 'News', text: 'News.' });
    const at = await inDays(3);
    await ask('POST', `/campaigns/${id}/schedule`, { scheduled_at: at.toISOString() });
    await service.advance('4 days');
    expect(await ask('GET', `/campaigns/${id}`)).toMatchObject({ status: 'sent', progress: { sent: 3, waiting: 0 } });
    for (const to of people) {
      const [arrived] = await arrivals(to);
      expect(secondsBetween(at, arrived ?? new Date(0))).toBeLessThan(60);
    }
    expect(await ask('GET', `/campaigns/${id}/stats`)).toMatchObject({ rates: { delivered: 1 } });
  });
});

describe('a webhook whose endpoint fails', () => {
  it('is tried again after half a minute, two, ten and sixty, signed with a time that its receiver accepts', async () => {
    receiver.answer(500);
    const { id } = await ask('POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] });
    await ask('POST', '/emails', email(someone()));
    await service.advance('1 minute');
    const before = receiver.requests.length;
    receiver.answer(({ headers }, response) => {
      const isNow = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300;
      response.writeHead(isNow && receiver.requests.length > 4 ? 200 : 500).end();
    });
    await service.advance('2 hours');
    expect([before, receiver.requests.length]).toEqual([2, 5]);
    expect(new Set(receiver.requests.map((request) => eventOf(request).id)).size).toBe(1);
    const { data } = await ask('GET', `/webhooks/${id}/deliveries`);
    const [delivery] = data;
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 5 });
    const { attempt_log } = await ask('GET', `/webhooks/${id}/deliveries/${delivery.id}`);
    const times = attempt_log
      .map(({ at }: { at: string }) => new Date(at))
      .sort((one: Date, other: Date) => +one - +other);
    const waits = times.slice(1).map((time: Date, index: number) => secondsBetween(times[index], time));
    for (const [index, planned] of [30, 120, 600, 3600].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(planned - 1);
      expect(waits[index]).toBeLessThan(planned + 62);
    }
  });
});

describe('after 30 days in one run', () => {
  it('a sign-up that nobody confirms is gone, and what is signed is valid: sessions, files, links', async () => {
    const [leaving, unconfirmed] = [someone(), someone()];
    await ask('POST', '/subscribers', { email: unconfirmed });
    await subscribe(place(), [leaving]);
    await ask('POST', '/emails', email(leaving));
    await service.advance('29 days');
    expect(await ask('GET', `/subscribers/${unconfirmed}`)).toMatchObject({ status: 'pending' });
    await service.advance('2 days');
    expect((await call(place(), 'GET', `/api/v1/subscribers/${unconfirmed}`)).status).toBe(404);
    // A file by a presigned address, which ends by the clock as well.
    const { id, url } = await ask('POST', '/uploads', { filename: 'a.txt', content_type: 'text/plain', size: 3 });
    const put = await fetch(url, { method: 'PUT', body: 'abc', headers: { 'Content-Type': 'text/plain' } });
    expect(put.status).toBe(200);
    const to = someone();
    await ask('POST', '/emails', email(to, { attachments: [{ upload_id: id, filename: 'a.txt' }] }));
    expect(await arrivals(to)).toHaveLength(1);
    await service.advance('2 days');
    const late = await fetch(url, { method: 'PUT', body: 'abc', headers: { 'Content-Type': 'text/plain' } });
    expect(late.status).toBe(403);
  });
});

describe('the clock', () => {
  it('refuses what is no duration, too long a one, and other fields', async () => {
    for (const body of [{}, { advance: 3 }, { advance: '' }, { advance: '3' }, { advance: '-3 days' }, '{', '']) {
      const answer = await callClock(service, 'POST', body);
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    }
    for (const body of [{ advance: '401 days' }, { advance: '1 day', to: 'x' }])
      expect((await callClock(service, 'POST', body)).status).toBe(422);
    expect((await callClock(service, 'DELETE')).status).toBe(405);
  });

  it('is advanced by one call at a time', async () => {
    const answers = await Promise.all(['2 days', '3 days'].map((advance) => callClock(service, 'POST', { advance })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: { message: expect.stringContaining('is being advanced') },
    });
  });

  it('says what is due next', async () => {
    const at = await inDays(5);
    await ask('POST', '/emails', email(someone(), { scheduled_at: at.toISOString() }));
    const { body } = await callClock<{ next: { at: string; kind: string }[] }>(service, 'GET');
    const ahead = new Date(at.getTime() - 600_000).toISOString();
    expect(body.next).toContainEqual({ at: ahead, kind: 'sweep: scheduled', count: 1 });
  });

  it('does not go on for ever at something that stays due: held mail is named, and sent when it may', async () => {
    Object.assign(process.env, service.environment);
    const to = someone();
    await ask('POST', '/emails', email(to, { scheduled_at: (await inDays(1)).toISOString() }));
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { holdSending, releaseSending } = await import('../../../shared/services/changeSendingHold.ts');
    await holdSending(operatorContext(), {});
    try {
      expect((await service.advance('3 days')).overdue).toEqual({ 'sweep: scheduled': 1 });
      expect(await arrivals(to)).toEqual([]);
    } finally {
      await releaseSending(operatorContext());
    }
    await service.advance('2 hours');
    expect(await arrivals(to)).toHaveLength(1);
  });
});

describe('a service on a folder whose clock is ahead', () => {
  it('goes on with it, however the service ended, and moves it only with --clock', async () => {
    const first = await startClockedService();
    await first.advance('4 days');
    const reached = await first.now();
    await first.kill();
    const plain = await startService({ dataDir: first.dataDir });
    expect(await callClock(plain, 'POST', { advance: '1 day' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('npm start -- --clock') } },
    });
    const { body } = await call(plain, 'POST', '/api/v1/emails', {
      body: email(someone(), { from: 'hello@example.com' }),
    });
    const sent = await call(plain, 'GET', `/api/v1/emails/${body.id}`);
    expect(Date.parse(sent.body.created_at)).toBeGreaterThanOrEqual(reached.getTime());
    await plain.stop({ keep: true });
    const again = await startClockedService({ dataDir: first.dataDir });
    expect((await again.now()).getTime()).toBeGreaterThan(reached.getTime());
    await again.stop();
  });
});
