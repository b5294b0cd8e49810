import { stopwatch } from '../../platform/clock.ts';
import { type FeedbackQueue, isFeedbackQueue, watchedQueues } from '../../platform/config.ts';
import { logger, notify } from '../../platform/logger.ts';
import { inParallel } from '../../platform/parallel.ts';
import { moveUndelivered } from '../../queue/deadLetters.ts';
import { queueDepth } from '../../queue/sqs.ts';
import { noteRedrive } from '../../store/feedbackWatermarks.ts';

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

/** The part of a sweep's time for moving events; the next run, a minute later, moves the rest. */
const moveMilliseconds = 40_000;
/** Queues of which this process could not move all events in time. Lost with the process, they wait for the next look. */
const unfinished = new Set<FeedbackQueue>();

/**
 * Notices dead letters, messages that wait for a worker that does not take them, and events that SNS could not deliver
 * to their queue, at every look while they last. It moves such events there: no worker has ever refused them.
 */
export async function sweepQueues(now: Date): Promise<void> {
  const isLook = now.getUTCMinutes() % minutesBetweenLooks === 0;
  const withUndelivered = isLook ? await lookAtQueues(now) : [...unfinished];
  const elapsed = stopwatch();
  for (const queue of withUndelivered) await moveToQueue(queue, now, () => elapsed() < moveMilliseconds);
}

/** Answers the queues with events that SNS could not deliver. */
async function lookAtQueues(now: Date): Promise<FeedbackQueue[]> {
  const depths = await inParallel(queuesAtOnce, watchedQueues(), async (queue) => {
    const { waiting, dead, undelivered } = await queueDepth(queue);
    if (dead > 0) notify('DeadLetters', 'Messages failed for good and are dead letters.', { queue, messages: dead });
    if (undelivered > 0) {
      notify('EventsUndelivered', 'SNS could not deliver events of SES to their queue.', {
        queue,
        messages: undelivered,
      });
    }
    const backlog = backlogAfter(backlogs.get(queue), waiting, now);
    backlogs.set(queue, backlog);
    if (waiting > 0 && now.getTime() - backlog.since.getTime() >= stuckMilliseconds) {
      const since = backlog.since.toISOString();
      notify('QueueStuck', 'Messages wait in a queue, and no fewer than before.', { queue, messages: waiting, since });
    }
    return { queue, undelivered };
  });
  return depths
    .filter(({ undelivered }) => undelivered > 0)
    .map(({ queue }) => queue)
    .filter(isFeedbackQueue);
}

async function moveToQueue(queue: FeedbackQueue, now: Date, isTimeLeft: () => boolean): Promise<void> {
  unfinished.add(queue);
  // While they are moved, events may be counted in neither queue: what waits for one must not take it for lost.
  await noteRedrive(queue, now);
  const messages = await moveUndelivered(queue, isTimeLeft);
  if (isTimeLeft()) unfinished.delete(queue);
  logger.warn('Events that SNS could not deliver were moved to their queue.', { queue, messages });
}

/** The time counts from now when the backlog is new or has become smaller. */
const backlogAfter = (before: Backlog | undefined, waiting: number, now: Date): Backlog =>
  before && before.waiting > 0 && waiting >= before.waiting
    ? { waiting, since: before.since }
    : { waiting, since: now };
