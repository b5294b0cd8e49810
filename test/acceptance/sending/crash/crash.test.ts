import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { idsFrom } from '../../../../shared/domain/identifier.ts';
import { ageClaims, emailOfClaim } from '../../claims.ts';
import { afterSome, call, eventually, eventuallyEach } from '../../client.ts';
import { countsOf, setFaults } from '../../inbox.ts';
import { startService, type TestService } from '../../service.ts';

const rounds = 3;
/** How many emails each call of a round sends. */
const callsOfRound = [...Array.from({ length: 18 }, () => 1), 6, 8, 10];

interface Answer {
  readonly status: number;
  readonly ids: readonly string[];
}

/** One send, or a batch, tried until the service answers or is killed. */
async function trySend(service: TestService, { key, to }: Wanted): Promise<Answer> {
  try {
    const emails = to.map((each) => ({ from: 'hello@example.com', to: each, subject: 'Once', text: 'Hi.' }));
    const [path, body] = to.length > 1 ? ['/api/v1/emails/batch', emails] : ['/api/v1/emails', emails[0]];
    const answer = await call(service, 'POST', path as string, { body, headers: { 'Idempotency-Key': key } });
    const sent: { id: string }[] = answer.body.data ?? [answer.body];
    return { status: answer.status, ids: sent.map(({ id }) => id) };
  } catch {
    return { status: 0, ids: [] };
  }
}

const isSent = ({ status }: Answer): boolean => status === 202;

/** As the sweeper does when the minutes of these sends are over. */
async function settle(service: TestService): Promise<void> {
  Object.assign(process.env, service.environment);
  const { sweepOpenSends } = await import('../../../../shared/services/sweep/settleSends.ts');
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
}

async function deliveredToday(service: TestService): Promise<number> {
  const { listDays } = await import('../../../../shared/store/usage.ts');
  const days = await listDays(service.workspaceId, '2000-01-01');
  return days.reduce((sum, { delivered }) => sum + delivered, 0);
}

interface Wanted {
  readonly key: string;
  readonly to: readonly string[];
}

const everybody = (wanted: readonly Wanted[]): string[] => wanted.flatMap(({ to }) => to);

const received = (service: TestService, wanted: readonly Wanted[]): Promise<number[]> =>
  countsOf(service, everybody(wanted));

const retry = (service: TestService, wanted: readonly Wanted[]): Promise<Answer[]> =>
  Promise.all(wanted.map((each) => trySend(service, each)));

/** The recipients that have a message. */
async function reached(service: TestService, wanted: readonly Wanted[]): Promise<ReadonlySet<string>> {
  const counts = await received(service, wanted);
  return new Set(everybody(wanted).filter((_, index) => counts[index]));
}

/** True when the Send events of all arrived messages are recorded: what is left was not accepted. */
async function isHeard(service: TestService, { key, to }: Wanted, arrived: ReadonlySet<string>): Promise<boolean> {
  const first = await emailOfClaim(service, service.workspaceId, key);
  if (first === null) return true;
  const known = idsFrom(first, to.length).map(async (id, index) => {
    if (!arrived.has(to[index] ?? '')) return true;
    return (await call(service, 'GET', `/api/v1/emails/${id}`)).status === 200;
  });
  return (await Promise.all(known)).every(Boolean);
}

/** Messages of a killed worker are on its queue again when the service is back, behind the others. */
const wordSeconds = 120;

/**
 * Calls until every send is through, as patient clients do: the provider's word settles what was taken, and only for
 * the rest do five minutes pass.
 */
async function sendAll(service: TestService, wanted: readonly Wanted[]): Promise<Answer[]> {
  await eventually(async () => {
    await retry(service, wanted);
    await wait(500);
    const arrived = await reached(service, wanted);
    return (await Promise.all(wanted.map((each) => isHeard(service, each, arrived)))).every(Boolean);
  }, wordSeconds);
  const keys = wanted.map(({ key }) => key);
  await ageClaims(service, service.workspaceId, keys);
  return eventually(async () => {
    const answers = await retry(service, wanted);
    return answers.every(isSent) && answers;
  }, wordSeconds);
}

async function isDelivered(service: TestService, { ids }: Answer): Promise<boolean> {
  const details = await Promise.all(ids.map((id) => call(service, 'GET', `/api/v1/emails/${id}`)));
  return details.every(({ body }) => body.status === 'delivered');
}

/** Accepts each message and then answers with an error. */
const lies = [
  { drop_after_accept: true },
  { answer_after_accept: { status: 500, error: 'InternalFailure', body: '{}' } },
  { answer_after_accept: { status: 503, error: 'ServiceUnavailable', body: '{}' } },
  { answer_after_accept: { status: 408 } },
  { answer_after_accept: { status: 200, body: '<html>' } },
];

describe('kill -9 in the middle of sends', () => {
  it('loses nothing, sends nothing twice under a key, and quota and deliveries match the accepted messages', async () => {
    let service = await startService();
    const { dataDir } = service;
    const wanted: Wanted[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        await setFaults(service, { latency_ms: 40 });
        const calls = callsOfRound.map((count, index) => ({
          key: randomUUID(),
          to: Array.from({ length: count }, (_, place) => `r${round}n${index}p${place}@example.net`),
        }));
        wanted.push(...calls);
        const answers = calls.map((each) => trySend(service, each));
        await afterSome(answers, 1 + round * 8);
        await service.kill();
        await Promise.all(answers);
        service = await startService({ dataDir });
      }
      const answers = await sendAll(service, wanted);
      expect(await received(service, wanted)).toEqual(everybody(wanted).map(() => 1));
      await eventuallyEach(answers, (answer) => isDelivered(service, answer), wordSeconds);
      await settle(service);
      expect(await deliveredToday(service)).toBe(everybody(wanted).length);
      const account = await call(service, 'GET', '/api/v1/me');
      expect(account.body.emails_remaining).toBe(3000 - everybody(wanted).length);
    } finally {
      await service.stop();
    }
  }, 600_000);

  it('sends nothing twice when the provider answers wrongly and its events come late', async () => {
    let service = await startService();
    const { dataDir } = service;
    const wanted: Wanted[] = [];
    try {
      for (const [round, lie] of lies.entries()) {
        await setFaults(service, { ...lie, latency_ms: 40, event_delay_ms: 30_000 });
        const calls = [1, 1, 1, 1, 1, 1, 6].map((count, index) => ({
          key: randomUUID(),
          to: Array.from({ length: count }, (_, place) => `lie${round}n${index}p${place}@example.net`),
        }));
        wanted.push(...calls);
        const answers = retry(service, calls);
        await eventually(async () => (await received(service, calls)).filter(Boolean).length > round);
        await service.kill();
        await answers;
        service = await startService({ dataDir });
      }
      expect(Math.max(...(await received(service, wanted)))).toBe(1);
      await sendAll(service, wanted);
      expect(await received(service, wanted)).toEqual(everybody(wanted).map(() => 1));
    } finally {
      await service.stop();
    }
  }, 600_000);
});
