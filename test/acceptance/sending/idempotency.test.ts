import { randomUUID } from 'node:crypto';
import { ageClaims } from '../claims.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const send = (body: object, key?: string): Promise<Answer> =>
  call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', {
    body,
    headers: key ? { 'Idempotency-Key': key } : {},
  });
const email = (to: string | string[], over: object = {}) => ({
  from: `hello@${workspace.domain}`,
  to,
  subject: 'Once',
  text: 'Hi.',
  ...over,
});
const remaining = async () =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', '/api/v1/me')).body.emails_remaining;

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

describe('Idempotency-Key', () => {
  it('replays the same result and sends once', async () => {
    const [to, key] = [someone(), randomUUID()];
    const first = await send(email(to), key);
    const { from, subject, text } = email(to);
    const again = await send({ text, subject, to, from }, key);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replay')).toBeNull();
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(await inbox(service, to)).toHaveLength(1);
  });

  it('refuses another body under the same key with 409 idempotency_key_reused', async () => {
    const [to, key] = [someone(), randomUUID()];
    await send(email(to), key);
    const other = await send(email(to, { subject: 'Twice' }), key);
    expect([other.status, other.body.name]).toEqual([409, 'idempotency_key_reused']);
  });

  it('is scoped to the workspace', async () => {
    const [to, key] = [someone(), randomUUID()];
    const other = await newWorkspace(service);
    const first = await send(email(to), key);
    const foreign = await call({ ...service, apiKey: other.apiKey }, 'POST', '/api/v1/emails', {
      body: { ...email(to), from: `a@${other.domain}` },
      headers: { 'Idempotency-Key': key },
    });
    expect(foreign.status).toBe(202);
    expect(foreign.body.id).not.toBe(first.body.id);
  });

  it('does not keep a refusal: the call can be corrected', async () => {
    const [to, key] = [someone(), randomUUID()];
    expect((await send(email(to, { from: 'a@elsewhere.example' }), key)).body.name).toBe('unverified_from_domain');
    expect((await send(email(to), key)).status).toBe(202);
  });

  it('lets one of twenty concurrent calls send; the others replay or get 409', async () => {
    const [to, key] = [someone(), randomUUID()];
    const before = await remaining();
    await setFaults(service, { latency_ms: 1500 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(email(to), key)));
    const fresh = answers.filter(({ status, headers }) => status === 202 && !headers.get('idempotent-replay'));
    const waiting = answers.filter(({ status }) => status === 409);
    expect(fresh).toHaveLength(1);
    const replays = answers.filter(({ headers }) => headers.get('idempotent-replay') === 'true');
    expect(fresh.length + waiting.length + replays.length).toBe(20);
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting[0]?.body.name).toBe('conflict');
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await inbox(service, to)).toHaveLength(1);
    expect(await remaining()).toBe(before - 1);
  });
});

describe('502 send_failed', () => {
  it('gives back the quota and the key when the provider refuses', async () => {
    const [to, key] = [someone(), randomUUID()];
    const before = await remaining();
    await setFaults(service, { error: 'MessageRejected' });
    const answer = await send(email(to), key);
    expect(answer.status).toBe(502);
    expect(answer.body.error).toMatchObject({
      code: 'send_failed',
      details: { provider_code: 'MessageRejected', accepted: [], refused: [to] },
    });
    expect(answer.body.message).toContain('refused the message');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(await remaining()).toBe(before);
    await setFaults(service);
    expect((await send(email(to), key)).status).toBe(202);
    expect(await inbox(service, to)).toHaveLength(1);
  });

  it.each(['ExpiredTokenException', 'AccessDeniedException', 'SendingPausedException'])(
    'says when the same call may succeed, after a %s that is not about the message',
    async (name) => {
      const [to, key] = [someone(), randomUUID()];
      const before = await remaining();
      await setFaults(service, { error: name });
      const answer = await send(email(to), key);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '60']);
      const details = { provider_code: name, accepted: [], refused: [to] };
      expect(answer.body.error).toMatchObject({ code: 'send_failed', details });
      expect(answer.body.message).toMatch(/nobody received it. The same call may succeed later/);
      expect(await remaining()).toBe(before);
      await setFaults(service);
      expect((await send(email(to), key)).status).toBe(202);
      expect([(await inbox(service, to)).length, await remaining()]).toEqual([1, before - 1]);
    },
  );

  it('keeps what is throttled, and sends it within seconds', async () => {
    const to = someone();
    await setFaults(service, { error: { name: 'TooManyRequestsException', next: 2 } });
    expect((await send(email(to))).status).toBe(202);
    await eventually(async () => (await inbox(service, to)).length === 1);
  });

  it('names accepted and refused recipients when a later envelope is refused, and a retry sends only to the rest', async () => {
    const [key, first] = [randomUUID(), Array.from({ length: 50 }, someone)];
    const rest = Array.from({ length: 10 }, someone);
    const before = await remaining();
    await setFaults(service, { error: { name: 'MessageRejected', skip: 1, next: 1 } });
    const partial = await send(email(first, { cc: rest }), key);
    expect(partial.status).toBe(502);
    expect(partial.body.error.details).toMatchObject({ accepted: first, refused: rest });
    expect(await remaining()).toBe(before - 50);
    const retried = await send(email(first, { cc: rest }), key);
    expect(retried.status).toBe(202);
    expect(await remaining()).toBe(before - 60);
    for (const to of [first[0], first[49], rest[0], rest[9]]) expect(await inbox(service, to ?? '')).toHaveLength(1);
  });

  it('answers 202 when the connection breaks after the provider accepted the message', async () => {
    const [to, key] = [someone(), randomUUID()];
    await setFaults(service, { drop_after_accept: { next: 1 } });
    const answer = await send(email(to), key);
    expect(answer.status).toBe(202);
    const again = await send(email(to), key);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(await inbox(service, to)).toHaveLength(1);
  });

  it('never sends twice when the provider accepted the message and its event comes late', async () => {
    const [to, key] = [someone(), randomUUID()];
    const before = await remaining();
    await setFaults(service, { drop_after_accept: { next: 1 }, event_delay_ms: 7000 });
    const broken = await send(email(to), key);
    expect(broken.status).toBe(502);
    expect(broken.body.error.details).toMatchObject({ accepted: [], refused: [], unknown: [to] });
    expect((await send(email(to), key)).status).toBe(409);
    const replay = await eventually(async () => {
      const answer = await send(email(to), key);
      return answer.status === 202 && answer;
    });
    expect(replay.headers.get('idempotent-replay')).toBe('true');
    expect(await inbox(service, to)).toHaveLength(1);
    expect(await remaining()).toBe(before - 1);
  });

  it('sends again five minutes after a provider that hung, or gives back the quota', async () => {
    const [retried, abandoned, key] = [someone(), someone(), randomUUID()];
    const before = await remaining();
    await setFaults(service, { hang: { next: 2 } });
    const [broken, lost] = await Promise.all([send(email(retried), key), send(email(abandoned))]);
    expect(broken.body.error.details).toMatchObject({ provider_code: 'TimeoutError', unknown: [retried] });
    expect(lost.status).toBe(502);
    expect(await remaining()).toBe(before - 2);
    await ageClaims(service, workspace.workspaceId, [key]);
    expect((await send(email(retried), key)).status).toBe(202);
    expect(await inbox(service, retried)).toHaveLength(1);
    const { sweepOpenSends } = await import('../../../shared/services/sweep/settleSends.ts');
    await sweepOpenSends(new Date(Date.now() + 7 * 60_000));
    expect(await remaining()).toBe(before - 1);
  });
});
