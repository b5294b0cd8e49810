import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ageClaims } from '../claims.ts';
import { afterSome, call, eventually } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';

const rounds = 3;
const sendsPerRound = 30;

interface Answer {
  readonly status: number;
  readonly id?: string;
}

/** One send, tried until the service is gone or has answered. */
async function trySend(service: TestService, key: string, to: string): Promise<Answer> {
  try {
    const body = { from: 'hello@example.com', to, subject: 'Once', text: 'Hi.' };
    const answer = await call(service, 'POST', '/api/v1/emails', { body, headers: { 'Idempotency-Key': key } });
    return { status: answer.status, id: answer.body.id };
  } catch {
    return { status: 0 };
  }
}

const isSent = ({ status }: Answer): boolean => status === 202;

/** As the sweeper will, when the minutes of these sends are over: nothing may be counted with them any more. */
async function settle(service: TestService): Promise<void> {
  Object.assign(process.env, service.environment);
  const { sweepOpenSends } = await import('../../../shared/services/sweep/openSends.ts');
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
}

async function deliveredToday(service: TestService): Promise<number> {
  const { listDays } = await import('../../../shared/store/sending/days.ts');
  const days = await listDays(service.workspaceId, '2000-01-01');
  return days.reduce((sum, { delivered }) => sum + delivered, 0);
}

interface Wanted {
  readonly key: string;
  readonly to: string;
}

const received = (service: TestService, wanted: readonly Wanted[]): Promise<number[]> =>
  Promise.all(wanted.map(async ({ to }) => (await inbox(service, to)).length));

const retry = (service: TestService, wanted: readonly Wanted[]): Promise<Answer[]> =>
  Promise.all(wanted.map(({ key, to }) => trySend(service, key, to)));

/** What a killed worker had received is on its queue again when the service is back, behind the other words. */
const wordSeconds = 120;

/**
 * Calls until every send is through, as patient clients do: the provider's word settles what was taken, and only for
 * the rest do five minutes pass.
 */
async function sendAll(service: TestService, wanted: readonly Wanted[]): Promise<Answer[]> {
  const before = await received(service, wanted);
  await eventually(async () => {
    const answers = await retry(service, wanted);
    await wait(500);
    return answers.every((answer, index) => isSent(answer) || before[index] === 0);
  }, wordSeconds);
  const keys = wanted.map(({ key }) => key);
  await ageClaims(service, service.workspaceId, keys);
  return eventually(async () => {
    const answers = await retry(service, wanted);
    return answers.every(isSent) && answers;
  }, wordSeconds);
}

async function isDelivered(service: TestService, { id }: Answer): Promise<boolean> {
  return (await call(service, 'GET', `/api/v1/emails/${id}`)).body.status === 'delivered';
}

/** Takes each message and then says anything but so. */
const lies = [
  { drop_after_accept: true },
  { answer_after_accept: { status: 500, error: 'InternalFailure', body: '{}' } },
  { answer_after_accept: { status: 503, error: 'ServiceUnavailable', body: '{}' } },
  { answer_after_accept: { status: 408 } },
  { answer_after_accept: { status: 200, body: '<html>' } },
];

describe('kill -9 in the middle of sends', () => {
  it('loses nothing, sends nothing twice under a key; quota and deliveries add up to the messages accepted', async () => {
    let service = await startService();
    const { dataDir } = service;
    const wanted: Wanted[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        await setFaults(service, { latency_ms: 40 });
        const batch = Array.from({ length: sendsPerRound }, (_, index) => ({
          key: randomUUID(),
          to: `r${round}n${index}@example.net`,
        }));
        wanted.push(...batch);
        const answers = batch.map(({ key, to }) => trySend(service, key, to));
        await afterSome(answers, 1 + round * 10);
        await service.kill();
        await Promise.all(answers);
        service = await startService({ dataDir });
      }
      const answers = await sendAll(service, wanted);
      expect(await received(service, wanted)).toEqual(wanted.map(() => 1));
      await eventually(
        async () => (await Promise.all(answers.map((answer) => isDelivered(service, answer)))).every(Boolean),
        wordSeconds,
      );
      await settle(service);
      expect(await deliveredToday(service)).toBe(wanted.length);
      const account = await call(service, 'GET', '/api/v1/me');
      expect(account.body.emails_remaining).toBe(3000 - wanted.length);
    } finally {
      await service.stop();
    }
  }, 600_000);

  it('sends nothing twice when the provider lies besides, and its words come late', async () => {
    let service = await startService();
    const { dataDir } = service;
    const wanted: Wanted[] = [];
    try {
      for (const [round, lie] of lies.entries()) {
        await setFaults(service, { ...lie, latency_ms: 40, event_delay_ms: 30_000 });
        const to = (index: number) => `lie${round}n${index}@example.net`;
        const batch = Array.from({ length: 12 }, (_, index) => ({ key: randomUUID(), to: to(index) }));
        wanted.push(...batch);
        const answers = retry(service, batch);
        await eventually(async () => (await received(service, batch)).filter(Boolean).length > round);
        await service.kill();
        await answers;
        service = await startService({ dataDir });
      }
      expect(Math.max(...(await received(service, wanted)))).toBe(1);
      await sendAll(service, wanted);
      expect(await received(service, wanted)).toEqual(wanted.map(() => 1));
    } finally {
      await service.stop();
    }
  }, 600_000);
});
