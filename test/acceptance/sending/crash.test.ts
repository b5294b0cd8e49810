import { randomUUID } from 'node:crypto';
import { ageClaims } from '../claims.ts';
import { afterSome, call, eventually } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';

const rounds = 3;
const sendsPerRound = 30;

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
