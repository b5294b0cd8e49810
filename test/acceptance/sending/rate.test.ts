import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startSweeper } from '../campaigns/campaign.ts';
import { ageClaims, ageScheduled, emailOfClaim, makeDue } from '../claims.ts';
import { type Answer, call, eventually } from '../client.ts';
import { countsOf, everyMessage, setFaults } from '../inbox.ts';
import { promisedEventOf, type Receiver, startReceiver } from '../receiver.ts';
import { type OwnService, startService } from '../service.ts';

let service: OwnService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await service?.stop();
  await receiver.stop();
});

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;

type Rate = {
  readonly rate_per_second: number;
  readonly latency_ms?: number;
  readonly error?: string;
};
/** SES defers everything, so that what waits goes on waiting until the test has looked at it. */
const deferring = (rate: Rate): Rate => ({ ...rate, error: 'TooManyRequestsException' });

/** A service of its own, which knows of no backlog and of no other rate. */
async function startWithRate(faults: Rate): Promise<void> {
  await service?.stop();
  service = await startService();
  await setFaults(service, faults);
}

const people = (count: number) => Array.from({ length: count }, someone);
const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call(service, method, `/api/v1${path}`, options);
const send = (to: string | readonly string[], key: string): Promise<Answer> =>
  ask('POST', '/emails', {
    body: { from: 'hello@example.com', to, subject: 'Hello', text: 'Hi.' },
    headers: { 'Idempotency-Key': key },
  });
const show = async (id: string) => (await ask('GET', `/emails/${id}`)).body;
const remaining = async (): Promise<number> => (await ask('GET', '/me')).body.emails_remaining;

interface Sent {
  readonly to: string;
  readonly answer: Answer;
}

const idsOf = (sent: readonly Sent[]): string[] => sent.map(({ answer }) => answer.body.id);
const peopleOf = (sent: readonly Sent[]): string[] => sent.map(({ to }) => to);
const keyOf = (to: string) => `key-${to}`;
const sendAll = (to: readonly string[]): Promise<Sent[]> =>
  Promise.all(to.map(async (one) => ({ to: one, answer: await send(one, keyOf(one)) })));

const shownOf = (sent: readonly Sent[]) => Promise.all(sent.map(({ answer }) => show(answer.body.id)));
/** Those that wait for the rate. */
async function waitingOf(sent: readonly Sent[]): Promise<Sent[]> {
  const shown = await shownOf(sent);
  return sent.filter((_, index) => shown[index].status === 'scheduled');
}

/** Empties the queue of due mail. */
async function forgetMessages(): Promise<void> {
  const { AWS_ENDPOINT_URL_SQS: endpoint = '', QUEUE_URL_PREFIX } = service.environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials });
  await sqs.send(new PurgeQueueCommand({ QueueUrl: `${QUEUE_URL_PREFIX}confirmation` }));
  sqs.destroy();
}

const untilSentOnce = async (to: readonly string[], seconds: number): Promise<void> => {
  await eventually(async () => !(await countsOf(service, to)).includes(0), seconds);
  expect((await countsOf(service, to)).filter((count) => count !== 1)).toEqual([]);
};

describe('more single emails at once than SES takes in a second', () => {
  it('gets 202 for each, keeps what SES defers, and sends each once', async () => {
    const count = 40;
    await startWithRate({ rate_per_second: 5, latency_ms: 60 });
    const before = await remaining();
    const sent = await sendAll(people(count));
    expect(sent.map(({ answer }) => answer.status)).toEqual(sent.map(() => 202));
    const fields = ['created_at', 'from', 'id', 'object', 'subject', 'to'];
    expect(sent.map(({ answer }) => Object.keys(answer.body).sort())).toEqual(sent.map(() => fields));
    expect(before - (await remaining())).toBe(count);
    await untilSentOnce(peopleOf(sent), 120);
    await eventually(async () => (await waitingOf(sent)).length === 0);
    const shown = await shownOf(sent);
    // An email that waited says so for good.
    const kept = shown.filter(({ scheduled_at }) => scheduled_at !== null);
    expect(kept.length).toBeGreaterThan(0);
    expect(shown.map(({ status }) => status)).toEqual(
      shown.map(() => expect.stringMatching(/^(sent|delivered)$/) as unknown),
    );
    expect(shown.map(({ created_at }) => created_at)).toEqual(sent.map(({ answer }) => answer.body.created_at));
    expect(before - (await remaining())).toBe(count);
  }, 240_000);

  it('replays the answer under its key, while it waits and afterwards', async () => {
    const rate = { rate_per_second: 2 };
    await startWithRate(deferring(rate));
    const sent = await sendAll(people(4));
    const [kept] = sent.slice(-1);
    if (!kept) throw new Error('None is sent.');
    expect(await show(kept.answer.body.id)).toMatchObject({ status: 'scheduled', scheduled_at: expect.any(String) });
    const replay = async () => {
      const again = await send(kept.to, keyOf(kept.to));
      expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([
        202,
        kept.answer.body,
        'true',
      ]);
    };
    await replay();
    await setFaults(service, rate);
    await untilSentOnce(peopleOf(sent), 120);
    await eventually(async () => (await show(kept.answer.body.id)).status !== 'scheduled');
    await replay();
    expect(await countsOf(service, [kept.to])).toEqual([1]);
  }, 240_000);

  it('sends the oldest first, except for few', async () => {
    await startWithRate({ rate_per_second: 4 });
    // Each round is answered before the next one begins: all of it was kept before.
    const rounds: Sent[][] = [];
    for (let round = 0; round < 8; round += 1) rounds.push(await sendAll(people(8)));
    await untilSentOnce(peopleOf(rounds.flat()), 240);
    const roundOf = new Map(rounds.flatMap((sent, round) => sent.map(({ to }) => [to, round])));
    const order: number[] = [];
    for await (const { recipients } of everyMessage(service)) order.unshift(roundOf.get(recipients[0] ?? '') ?? -1);
    // In no order at all it would be a half. SES throttles some in their turn, which then go out a little later.
    expect(overtakenShare(order)).toBeLessThan(0.2);
  }, 400_000);

  it('cancels what a rule refuses when it goes out, and says so', async () => {
    const rate = { rate_per_second: 1 };
    await startWithRate(deferring(rate));
    await ask('POST', '/webhooks', { body: { name: 'Hook', url: receiver.url, events: ['email.canceled'] } });
    const sent = await sendAll(people(4));
    const [left] = sent.slice(-1);
    if (!left) throw new Error('None is sent.');
    expect((await ask('POST', '/suppression', { body: { email: left.to } })).status).toBe(201);
    await setFaults(service, rate);
    const { id } = left.answer.body;
    await eventually(async () => (await show(id)).status === 'canceled', 120);
    expect(await show(id)).toMatchObject({ cancel_reason: 'suppressed_recipient' });
    const told = () => receiver.requests.map(promisedEventOf).filter(({ data }) => data.email_id === id);
    await eventually(async () => told().length > 0);
    expect(told()[0]).toMatchObject({ type: 'email.canceled', data: { reason: 'suppressed_recipient' } });
    await untilSentOnce(peopleOf(sent.filter((one) => one !== left)), 120);
    expect(await countsOf(service, [left.to])).toEqual([0]);
  }, 300_000);

  it('is sent by the sweeper when its message is lost', async () => {
    // Slots of ten seconds each: the messages of all but the first wait in the queue.
    await startWithRate(deferring({ rate_per_second: 0.1 }));
    const sent = await sendAll(people(14));
    await forgetMessages();
    expect(await waitingOf(sent)).toEqual(sent);
    await setFaults(service);
    const stopSweeper = startSweeper(service);
    // It is late a minute after its turn.
    await makeDue(service, service.workspaceId, idsOf(sent));
    await untilSentOnce(peopleOf(sent), 300);
    await stopSweeper();
  }, 400_000);
});

/** The share of the pairs from different rounds of which the younger email went out first. */
function overtakenShare(order: readonly number[]): number {
  const pairs = order.flatMap((first, index) => order.slice(index + 1).map((second) => first - second));
  return pairs.filter((difference) => difference > 0).length / pairs.filter((difference) => difference !== 0).length;
}

describe('kill -9 while a backlog stands', () => {
  it('loses nothing and sends nothing twice, answered or not', async () => {
    const faults = { rate_per_second: 5, latency_ms: 60 };
    await startWithRate(faults);
    const all: Sent[] = [];
    const unanswered: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const sent = await sendAll(people(16));
      expect(sent.map(({ answer }) => answer.status)).toEqual(sent.map(() => 202));
      all.push(...sent);
      await wait(1500 + Math.random() * 1500);
      // Some calls are in flight: kept and not answered, or not yet kept.
      const to = people(8);
      unanswered.push(...to);
      const calls = to.map((one) => send(one, keyOf(one)).catch(() => null));
      await wait(Math.random() * 300);
      await service.kill();
      await Promise.all(calls);
      service = await startService({ dataDir: service.dataDir });
      await setFaults(service, faults);
    }
    const restartedAt = new Date();
    await setFaults(service);
    const stopSweeper = startSweeper(service);
    // SES's events of what was taken come before the rest is sent again.
    await eventually(async () => {
      const counts = await countsOf(service, peopleOf(all));
      const waiting = new Set(await waitingOf(all));
      return all.every((one, index) => counts[index] === 0 || !waiting.has(one));
    }, 240);
    await eventually(async () => {
      const counts = await countsOf(service, unanswered);
      const known = await Promise.all(unanswered.map(isKnown));
      return counts.every((count, index) => count === 0 || known[index]);
    }, 240);
    const claimed = await Promise.all(unanswered.map(idOf));
    const ids = [...idsOf(all), ...claimed.filter((id) => id !== null)];
    await ageScheduled(service, service.workspaceId, ids, restartedAt);
    await makeDue(service, service.workspaceId, ids);
    await ageClaims(service, service.workspaceId, unanswered.map(keyOf));
    await eventually(async () => {
      const answers = await sendAll(unanswered);
      return answers.every(({ answer }) => answer.status === 202);
    }, 240);
    await eventually(async () => (await waitingOf(all)).length === 0, 240);
    await untilSentOnce([...peopleOf(all), ...unanswered], 240);
    await stopSweeper();
  }, 900_000);
});

/** The email of this person's key. */
const idOf = (to: string): Promise<string | null> => emailOfClaim(service, service.workspaceId, keyOf(to));

/** True when it is recorded as sent. */
async function isKnown(to: string): Promise<boolean> {
  const id = await idOf(to);
  if (id === null) return false;
  const { status, body } = await ask('GET', `/emails/${id}`);
  return status === 200 && body.status !== 'scheduled';
}

describe('more than ten minutes of backlog', () => {
  it('is 503 with its reason and Retry-After, takes no quota, and frees the key', async () => {
    await startWithRate({ rate_per_second: 1 });
    const before = await remaining();
    const answers: Answer[] = [];
    for (let index = 0; index < 20; index += 1) answers.push(await send(people(50), `large-${index}-${before}`));
    const kept = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 503);
    expect(kept.length + refused.length).toBe(20);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body.error).toMatchObject({ code: 'internal_error', details: { reason: 'backlog' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(before - (await remaining())).toBe(kept.length * 50);
    expect((await send(someone(), `large-19-${before}`)).status).toBe(503);
  }, 240_000);
});
