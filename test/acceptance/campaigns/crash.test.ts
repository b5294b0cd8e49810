import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { draft, follow, send, show, subscribe, untilSent, wakeRunners } from './campaign.ts';

const people = 2000;
const emails = Array.from({ length: people }, (_, index) => `p${index}@example.net`);

/** The doubts of a broken call are ended after so long; a turn that was lost is woken by the test. */
const env = { CAMPAIGN_DOUBT_SECONDS: '20', CAMPAIGN_LOOK_AGAIN_SECONDS: '3' };

/** Slow, throttling, breaking: what the provider is like between two kills. */
const troubles = [
  { rate_per_second: 200, latency_ms: 300 },
  { rate_per_second: 200, latency_ms: 100, drop_after_accept: { next: 3 } },
  { rate_per_second: 200, bulk_entry_error: { status: 'ACCOUNT_THROTTLED', next: 60 } },
  { rate_per_second: 200, error_rate: 0.3, latency_ms: 50 },
  { rate_per_second: 200, bulk_entry_error: { status: 'TRANSIENT_FAILURE', next: 40 }, latency_ms: 200 },
];

/** How many messages everybody has, from the inbox itself. */
async function received(service: TestService): Promise<number[]> {
  const counts: number[] = [];
  for (let start = 0; start < people; start += 50) {
    const batch = emails.slice(start, start + 50).map(async (email) => (await inbox(service, email)).length);
    counts.push(...(await Promise.all(batch)));
  }
  return counts;
}

describe('kill -9 in the middle of a campaign', () => {
  it('reaches everybody exactly once or says who may not have got it, and says so itself', async () => {
    let service = await startService({ env });
    const { dataDir, workspaceId } = service;
    try {
      await subscribe(service, emails);
      const id = await draft(service);
      await setFaults(service, troubles[0]);
      const { body, status } = await send(service, id);
      expect([status, body.queued]).toEqual([202, people]);
      for (const trouble of troubles) {
        await setFaults(service, trouble);
        const before = (await show(service, id)).progress.waiting;
        const enough = before - 60 - Math.floor(Math.random() * 240);
        await follow(service, id, ({ status: now, progress }) => progress.waiting <= enough || now === 'sent', 120);
        await service.kill();
        service = await startService({ dataDir, env });
        await wakeRunners(service, workspaceId, id);
      }
      const { progress } = await untilSent(service, id, 300);
      const counts = await received(service);
      expect(counts.filter((count) => count > 1)).toEqual([]);
      const silent = counts.filter((count) => count === 0).length;
      expect(progress).toMatchObject({ queued: people, skipped: 0, waiting: 0, paused: false });
      expect(progress.failed + progress.uncertain).toBeGreaterThanOrEqual(silent);
      expect(progress.sent).toBe(people - progress.failed - progress.uncertain);
    } finally {
      await service.stop();
    }
  }, 900_000);
});
