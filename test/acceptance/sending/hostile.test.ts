import { randomUUID } from 'node:crypto';
import { ageClaims, ageFeedback } from '../claims.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '100000' } });
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const people = () => Array.from({ length: 50 }, someone);
const send = (body: object, key: string): Promise<Answer> =>
  call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', {
    body: { from: `hello@${workspace.domain}`, subject: 'Once', text: 'Hi.', ...body },
    headers: { 'Idempotency-Key': key },
  });
const received = async (to: string) => (await inbox(service, to)).length;
/** Makes a claim this much older, without any events meanwhile. */
const age = async (key: string, seconds: number) => {
  await ageClaims(service, workspace.workspaceId, [key], seconds);
  await ageFeedback(service, seconds);
};
const never = 3_600_000;

describe('a provider that accepts the message and', () => {
  const answers: [string, Record<string, unknown>][] = [
    ['answers 500', { answer_after_accept: { status: 500, error: 'InternalFailure', body: '{}' } }],
    ['answers 503', { answer_after_accept: { status: 503, error: 'ServiceUnavailable', body: '{}' } }],
    ['answers 408', { answer_after_accept: { status: 408, error: 'RequestTimeoutException', body: '{}' } }],
    ['answers 429 without a name', { answer_after_accept: { status: 429 } }],
    ['answers 400 with garbage', { answer_after_accept: { status: 400, body: '<html>' } }],
    ['answers 200 with garbage', { answer_after_accept: { status: 200, body: '<html>' } }],
    ['answers 200 with nothing', { answer_after_accept: { status: 200 } }],
    ['breaks the connection', { drop_after_accept: true }],
  ];

  it.each(answers)('%s: 202 as soon as its Send event comes, and one message', async (_name, faults) => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, faults);
    expect((await send({ to }, key)).status).toBe(202);
    expect((await send({ to }, key)).headers.get('idempotent-replay')).toBe('true');
    expect(await received(to)).toBe(1);
  });

  it.each(answers)(
    '%s, and whose Send event is late: unknown, then 409, then 202, and one message',
    async (_name, faults) => {
      const [to, key] = [someone(), randomUUID()];
      await setFaults(service, { ...faults, event_delay_ms: 9000 });
      const broken = await send({ to }, key);
      expect(broken.status).toBe(502);
      expect(broken.body.error.details).toMatchObject({ accepted: [], refused: [], unknown: [to] });
      await setFaults(service);
      expect((await send({ to }, key)).body.error.details).toEqual({ status: 'in_progress' });
      await age(key, 75);
      const waiting = await send({ to }, key);
      expect([waiting.status, waiting.body.error.details]).toEqual([409, { status: 'unconfirmed' }]);
      expect(Number(waiting.headers.get('retry-after'))).toBeLessThanOrEqual(30);
      const settled = await eventually(async () => {
        const answer = await send({ to }, key);
        return answer.status === 202 && answer;
      }, 30);
      expect(settled.headers.get('idempotent-replay')).toBe('true');
      expect(await received(to)).toBe(1);
    },
  );
});

describe('a send whose provider never answers', () => {
  it('is not repeated under its key until five minutes have passed; then it is, and may arrive twice', async () => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: never });
    expect((await send({ to }, key)).status).toBe(502);
    for (const seconds of [70, 100, 100]) {
      await age(key, seconds);
      expect((await send({ to }, key)).status).toBe(409);
    }
    expect(await received(to)).toBe(1);
    await age(key, 31);
    expect((await send({ to }, key)).status).toBe(202);
    expect(await received(to)).toBe(2);
  });

  it('is repeated earlier when events of messages sent well after it have come', async () => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, { error: { name: 'InternalServiceErrorException', next: 1 } });
    expect((await send({ to }, key)).status).toBe(502);
    await age(key, 240);
    expect(await received(to)).toBe(0);
    await eventually(async () => {
      await send({ to: someone() }, randomUUID());
      return (await send({ to }, key)).status === 202;
    }, 40);
    expect(await received(to)).toBe(1);
  });
});

describe('what an earlier call left unknown', () => {
  it('is unknown in every later answer until an event settles it', async () => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: never });
    expect((await send({ to }, key)).body.error.details).toMatchObject({ unknown: [to] });
    await age(key, 301);
    await setFaults(service, { error: 'TooManyRequestsException' });
    for (let round = 0; round < 2; round += 1) {
      const refused = await send({ to }, key);
      expect(refused.status).toBe(502);
      expect(refused.body.error.details).toMatchObject({ accepted: [], refused: [], unknown: [to] });
      expect(refused.body.message).not.toContain('nobody');
    }
    const [message] = await inbox(service, to);
    const body = JSON.stringify({ message_id: message?.message_id, type: 'Send' });
    await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body });
    const settled = await eventually(async () => {
      const answer = await send({ to }, key);
      return answer.status === 202 && answer;
    });
    expect(settled.headers.get('idempotent-replay')).toBe('true');
    expect(await received(to)).toBe(1);
  });

  it('keeps its key when a later call is refused, so that nothing else is sent under it', async () => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: never });
    expect((await send({ to }, key)).status).toBe(502);
    await age(key, 301);
    const api = { ...service, apiKey: workspace.apiKey };
    await call(api, 'POST', '/api/v1/suppression', { body: { email: to } });
    const refused = await send({ to }, key);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'suppressed_recipient']);
    expect(refused.body.message).toContain('Nothing more was sent');
    const other = await send({ to, subject: 'Another' }, key);
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await received(to)).toBe(1);
  });

  it('is reported beside what was accepted and what was refused', async () => {
    const [to, cc, bcc, key] = [people(), people(), people(), randomUUID()];
    await setFaults(service, { drop_after_accept: { skip: 1, next: 1 }, event_delay_ms: never });
    const first = await send({ to, cc, bcc }, key);
    expect(first.body.error.details).toMatchObject({ accepted: to, unknown: cc, refused: bcc });
    await age(key, 301);
    await setFaults(service, { error: 'MessageRejected' });
    const second = await send({ to, cc, bcc }, key);
    expect(second.body.error.details).toEqual({
      provider_code: 'MessageRejected',
      accepted: to,
      unknown: cc,
      refused: bcc,
    });
    const [message] = await inbox(service, cc[0] ?? '');
    const body = JSON.stringify({ message_id: message?.message_id, type: 'Send' });
    await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body });
    const third = await eventually(async () => {
      const { body: answer } = await send({ to, cc, bcc }, key);
      return answer.error.details.unknown === undefined && answer;
    });
    expect(third.error.details).toEqual({ provider_code: 'MessageRejected', accepted: [...to, ...cc], refused: bcc });
    await setFaults(service);
    expect((await send({ to, cc, bcc }, key)).status).toBe(202);
    for (const list of [to, cc, bcc]) expect(await received(list[0] ?? '')).toBe(1);
  });
});

describe('a delayed call whose key another one has taken over', () => {
  it('sends no further envelope', async () => {
    const [to, cc, key] = [people(), people(), randomUUID()];
    const remaining = async () =>
      (await call({ ...service, apiKey: workspace.apiKey }, 'GET', '/api/v1/me')).body.emails_remaining;
    const before = await remaining();
    await setFaults(service, { latency_ms: 6000 });
    const slow = send({ to, cc }, key);
    await eventually(async () => (await remaining()) < before);
    await age(key, 301);
    const answer = await slow;
    expect([answer.status, answer.body.error.details]).toEqual([409, { status: 'in_progress' }]);
    await setFaults(service);
    // 409 while the feedback queue still holds events, of other emails too: it is asked again as a caller does.
    await eventually(async () => (await send({ to, cc }, key)).status === 202);
    for (const list of [to, cc]) expect(await received(list[0] ?? '')).toBe(1);
  });
});
