import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ageClaims } from '../claims.ts';
import { afterSome, call, eventually } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';

const rounds = 3;
const sendsPerRound = 30;
const eventDelayMilliseconds = 45_000;

/** One send, tried until the service is gone or has answered. */
async function trySend(service: TestService, key: string, to: string | string[]): Promise<number> {
  try {
    const body = { from: 'hello@example.com', to, subject: 'Once', text: 'Hi.' };
    return (await call(service, 'POST', '/api/v1/emails', { body, headers: { 'Idempotency-Key': key } })).status;
  } catch {
    return 0;
  }
}

describe('kill -9 in the middle of sends', () => {
  it('loses nothing, sends nothing twice under a key, and the quota adds up to the messages accepted', async () => {
    let service = await startService();
    const { dataDir } = service;
    const wanted: { key: string; to: string }[] = [];
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
      await eventually(async () => {
        await ageClaims(
          service,
          service.workspaceId,
          wanted.map(({ key }) => key),
        );
        const statuses = await Promise.all(wanted.map(({ key, to }) => trySend(service, key, to)));
        return statuses.every((status) => status === 202);
      });
      const counts = await Promise.all(wanted.map(async ({ to }) => (await inbox(service, to)).length));
      expect(counts).toEqual(wanted.map(() => 1));
      const account = await call(service, 'GET', '/api/v1/me');
      expect(account.body.emails_remaining).toBe(3000 - wanted.length);
    } finally {
      await service.stop();
    }
  });

  it('doubles nothing within five minutes when the provider lies and its Send events are late', async () => {
    let service = await startService();
    const { dataDir } = service;
    const lies = [
      { drop_after_accept: true },
      { answer_after_accept: { status: 500, error: 'InternalFailure', body: '{}' } },
      { answer_after_accept: { status: 503, error: 'ServiceUnavailable', body: '{}' } },
      { answer_after_accept: { status: 408 } },
      { answer_after_accept: { status: 200, body: '<html>' } },
    ];
    const wanted: { key: string; to: string }[] = [];
    const received = () => Promise.all(wanted.map(async ({ to }) => (await inbox(service, to)).length));
    const keys = () => wanted.map(({ key }) => key);
    const retry = () => Promise.all(wanted.map(({ key, to }) => trySend(service, key, to)));
    try {
      for (const [round, lie] of lies.entries()) {
        await setFaults(service, { ...lie, latency_ms: 40, event_delay_ms: eventDelayMilliseconds });
        const batch = Array.from({ length: 12 }, (_, index) => ({
          key: randomUUID(),
          to: `lie${round}n${index}@example.net`,
        }));
        wanted.push(...batch);
        const answers = batch.map(({ key, to }) => trySend(service, key, to));
        // What was sent is in the inbox before anybody has heard of it.
        await eventually(async () => (await received()).filter(Boolean).length > 12 * round + 2 * round);
        await service.kill();
        await Promise.all(answers);
        service = await startService({ dataDir });
      }
      const sent = await received();
      await eventually(async () => {
        const statuses = await retry();
        await wait(1000);
        return statuses.every((status, index) => status === 202 || sent[index] === 0);
      }, 240);
      expect(Math.max(...(await received()))).toBe(1);
      await ageClaims(service, service.workspaceId, keys());
      await eventually(async () => (await retry()).every((status) => status === 202), 60);
      expect(await received()).toEqual(wanted.map(() => 1));
    } finally {
      await service.stop();
    }
  }, 400_000);

  it('gives back what a killed send had reserved', async () => {
    let service = await startService();
    const { dataDir } = service;
    try {
      await setFaults(service, { hang: true });
      const unanswered = trySend(service, randomUUID(), ['a@example.net', 'b@example.net']);
      await eventually(async () => (await call(service, 'GET', '/api/v1/me')).body.emails_remaining === 2998);
      await service.kill();
      await unanswered;
      service = await startService({ dataDir });
      expect((await call(service, 'GET', '/api/v1/me')).body.emails_remaining).toBe(2998);
      Object.assign(process.env, service.environment);
      const { sweepOpenSends } = await import('../../../shared/services/sweep/openSends.ts');
      await sweepOpenSends(new Date(Date.now() + 7 * 60_000));
      expect((await call(service, 'GET', '/api/v1/me')).body.emails_remaining).toBe(3000);
    } finally {
      await service.stop();
    }
  });
});
