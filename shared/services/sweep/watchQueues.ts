import { watchedQueues } from '../../platform/config.ts';
import { notify } from '../../platform/logger.ts';
import { inParallel } from '../../platform/parallel.ts';
import { queueDepth } from '../../queue/sqs.ts';

/** A look at a queue costs two calls of SQS, so it is taken four times an hour. */
export const minutesBetweenLooks = 15;
const queuesAtOnce = 20;
/** Two intervals between looks, less five minutes: a run may start some seconds earlier than the one before. */
const stuckMilliseconds = 25 * 60_000;

/** Messages that wait in a queue, and since when their number has not fallen. */
interface Backlog {
  readonly waiting: number;
  readonly since: Date;
}

/** What this process saw at its last look. It is lost with the process: a stuck queue is then noticed half an hour later. */
const backlogs = new Map<string, Backlog>();

/** Notices dead letters, and messages that wait for a worker that does not take them, at every look while they last. */
export async function sweepQueues(now: Date): Promise<void> {
  if (now.getUTCMinutes() % minutesBetweenLooks !== 0) return;
  await inParallel(queuesAtOnce, watchedQueues(), async (queue) => {
    const { waiting, dead } = await queueDepth(queue);
    if (dead > 0) notify('DeadLetters', 'Messages failed for good and are dead letters.', { queue, messages: dead });
    const backlog = backlogAfter(backlogs.get(queue), waiting, now);
    backlogs.set(queue, backlog);
    if (waiting > 0 && now.getTime() - backlog.since.getTime() >= stuckMilliseconds) {
      const since = backlog.since.toISOString();
      notify('QueueStuck', 'Messages wait in a queue, and no fewer than before.', { queue, messages: waiting, since });
    }
  });
}

/** The time counts from now when the backlog is new or has become smaller. */
const backlogAfter = (before: Backlog | undefined, waiting: number, now: Date): Backlog =>
  before && before.waiting > 0 && waiting >= before.waiting
    ? { waiting, since: before.since }
    : { waiting, since: now };
