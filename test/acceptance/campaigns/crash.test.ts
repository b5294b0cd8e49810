import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countsOf, received, setFaults } from '../inbox.ts';
import { startService } from '../service.ts';
import { draft, follow, importPeople, send, show, startSweeper, untilSent } from './campaign.ts';

const people = 2000;
const emails = Array.from({ length: people }, (_, index) => `p${index}@example.net`);

/** Seconds instead of minutes for unknown outcomes, holds and lost runs. */
const env = { CAMPAIGN_DOUBT_SECONDS: '12', CAMPAIGN_LOOK_AGAIN_SECONDS: '2', CAMPAIGN_LOST_SECONDS: '4' };

/** The provider's faults between two kills: slow, throttling, lost answers. */
const troubles = [
  { rate_per_second: 200, latency_ms: 300 },
  { rate_per_second: 200, latency_ms: 100, drop_after_accept: { next: 3 } },
  { rate_per_second: 200, bulk_entry_error: { status: 'ACCOUNT_THROTTLED', next: 60 } },
  { rate_per_second: 200, error_rate: 0.3, latency_ms: 50 },
  { rate_per_second: 200, bulk_entry_error: { status: 'TRANSIENT_FAILURE', next: 40 }, latency_ms: 200 },
];

/** Deletes every message that would start a run. */
function loseTurns(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'messaging', 'fauxqs.db'));
  database.exec("DELETE FROM sqs_messages WHERE queue_name = 'mailroom-campaign'");
  database.close();
}

describe('kill -9 in the middle of a campaign', () => {
  it('and the loss of every wake-up message: the sweeper alone finishes it, everybody gets it once, or is uncertain', async () => {
    let service = await startService({ env });
    let stopSweeper = startSweeper(service);
    const { dataDir } = service;
    try {
      await importPeople(service, service.workspaceId, emails);
      const id = await draft(service, { html: '<p>News for {{email}}</p>', reply_to: 'help@example.net' });
      await setFaults(service, troubles[0]);
      const { body, status } = await send(service, id);
      expect([status, body.queued]).toEqual([202, people]);
      for (const trouble of troubles) {
        await setFaults(service, trouble);
        const before = (await show(service, id)).progress.waiting;
        const enough = before - 60 - Math.floor(Math.random() * 240);
        await follow(service, id, ({ status: now, progress }) => progress.waiting <= enough || now === 'sent', 120);
        await Promise.all([service.kill(), stopSweeper()]);
        loseTurns(dataDir);
        service = await startService({ dataDir, env });
        stopSweeper = startSweeper(service);
      }
      const { progress } = await untilSent(service, id, 240);
      const counts = await countsOf(service, emails);
      expect(counts.filter((count) => count > 1)).toEqual([]);
      const silent = counts.filter((count) => count === 0).length;
      expect(progress).toMatchObject({ queued: people, skipped: 0, waiting: 0, paused: false });
      expect(progress.failed + progress.uncertain).toBeGreaterThanOrEqual(silent);
      expect(progress.sent).toBe(people - progress.failed - progress.uncertain);
      for (const email of emails.filter((_, index) => counts[index] === 1).filter((_, index) => index % 50 === 0)) {
        const { mail } = await received(service, email);
        expect([mail.html, mail.replyTo?.text]).toEqual([
          ...[expect.stringContaining(`<p>News for ${email}</p>`), 'help@example.net'],
        ]);
      }
    } finally {
      await stopSweeper();
      await service.stop();
    }
  }, 900_000);
});
