import { addSeconds, now as currentTime, stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { type DelayedMessage, sendScheduledMessages } from '../../queue/scheduledEmail.ts';
import { type DueScheduled, listDueScheduled, takeDue } from '../../store/scheduled/dueScheduled.ts';
import type { Due } from '../../store/scheduled/scheduledEmails.ts';
import { lateSeconds } from '../emails/scheduled/moment.ts';
import { Run } from './run.ts';

/** Far ahead of the next runs of the sweeper, and within the longest delay of the queue. */
const aheadSeconds = 600;
/** What was queued anew is left alone for a while. */
const patienceSeconds = 300;
const limitOfShard = 500;
const writesAtOnce = 25;
/** Of a run, which has five minutes. */
const runMilliseconds = 40_000;

/**
 * Queues the emails of the next ten minutes, each with the delay that is left to it, and those whose message was lost or
 * whose worker died. A message that comes twice finds that the other has claimed the email.
 */
export async function sweepDueScheduled(now: Date): Promise<void> {
  const run = new Run();
  const elapsed = stopwatch();
  const late = await queueAll(run, 'queued', now, elapsed);
  if (late > 0) logger.warn('Late scheduled emails were queued again.', { count: late });
  await queueAll(run, 'far', addSeconds(now, aheadSeconds), elapsed);
  run.end();
}

/** Each is tried once: one that fails, or that the index still shows as it was, is for the next run. */
async function queueAll(run: Run, stage: Due['stage'], by: Date, elapsed: () => number): Promise<number> {
  let queued = 0;
  const tried = new Set<string>();
  while (elapsed() < runMilliseconds) {
    const listed = await listDueScheduled(stage, by, limitOfShard);
    const due = listed.filter(({ key }) => !tried.has(key.pk));
    if (due.length === 0) break;
    for (const { key } of due) tried.add(key.pk);
    const messages = (await run.each(writesAtOnce, due, (one) => take(one, stage))).filter((one) => one !== null);
    await sendScheduledMessages(messages);
    queued += messages.length;
  }
  return queued;
}

async function take(due: DueScheduled, stage: Due['stage']): Promise<DelayedMessage | null> {
  const now = currentTime();
  const lateAt = stage === 'far' ? addSeconds(due.dueAt, lateSeconds) : addSeconds(now, patienceSeconds);
  const email = await takeDue(due, lateAt);
  if (!email) return null;
  return {
    entry: { kind: 'send', workspace_id: email.workspaceId, email_id: email.id, scheduled_at: email.scheduledAt },
    delaySeconds: stage === 'far' ? (due.dueAt.getTime() - now.getTime()) / 1000 : 0,
  };
}
