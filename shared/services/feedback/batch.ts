import type { MailMark } from '../../domain/personEvents/mailActivity.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { epochSeconds, secondsInDay, serviceStopwatch } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import { inParallel } from '../../platform/parallel.ts';
import { type RunMailMessage, sendAutomationMessages } from '../../queue/automation.ts';
import { type Listing, putListings } from '../../store/emails/emailLists.ts';
import { raiseEmailWatermark, watermarkPauseSeconds } from '../../store/feedbackWatermarks.ts';
import { noteMail } from '../../store/personEvents/mailActivity.ts';
import { type Listeners, readListeners } from '../../store/webhook/webhooks.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { logActivity } from '../activity.ts';
import { CounterBuffer } from '../campaigns/counters.ts';
import { pauseConfirmationsIfExceeded } from '../confirmations/pause.ts';
import { dispatchDeliveries } from '../events.ts';
import { suspendIfExceeded } from '../reputation.ts';
import { RunCounters } from '../runs/runCounters.ts';

/** What the reports of one batch share, so that webhooks are read and a reputation is judged once for all of them. */
export interface Batch {
  readonly now: Date;
  /** Workspaces that got a bounce or a complaint. */
  readonly toJudge: Set<string>;
  /** The same for the service's own mail, such as confirmations. */
  readonly serviceMailToJudge: Set<string>;
  /** By workspace, what this batch counted against its reputation. */
  readonly failures: Map<string, { bounced: number; complained: number }>;
  /** By workspace, the last bounce or complaint that is being counted. */
  readonly counting: Map<string, Promise<unknown>>;
  readonly listeners: Map<string, Promise<Listeners>>;
  /** Webhook deliveries to queue at the end. */
  readonly deliveries: Delivery[];
  /** Entries of email lists to write at the end. */
  readonly listings: Listing[];
  /** Counters of campaigns and of days to write at the end. */
  readonly counters: CounterBuffer;
  /** When the single emails were sent whose acceptance the batch reports. */
  readonly acceptedSentAt: Date[];
  /** What runs of automations learn of their messages, to queue at the end. */
  readonly runMail: RunMailMessage[];
  /** What automations count of their messages, to write at the end. */
  readonly runCounters: RunCounters;
  /** By person and action, the latest of what is noted of mail, to write at the end; none without the setting. */
  readonly mailMarks: Map<string, MailMark>;
}

export const openBatch = (now: Date): Batch => ({
  now,
  toJudge: new Set(),
  serviceMailToJudge: new Set(),
  failures: new Map(),
  counting: new Map(),
  listeners: new Map(),
  deliveries: [],
  listings: [],
  counters: new CounterBuffer(),
  acceptedSentAt: [],
  runMail: [],
  runCounters: new RunCounters(),
  mailMarks: new Map(),
});

export function listenersOf(batch: Batch, workspaceId: string): Promise<Listeners> {
  const listeners = batch.listeners.get(workspaceId) ?? readListeners(workspaceId);
  batch.listeners.set(workspaceId, listeners);
  return listeners;
}

export const webhooksOf = async (batch: Batch, workspaceId: string): Promise<readonly Webhook[]> =>
  (await listenersOf(batch, workspaceId)).webhooks;

/**
 * Runs `count` after all earlier ones of the workspace. Each is a transaction on the same item: side by side, a hundred
 * of them would conflict until some run out of retries.
 */
export function countInTurn<T>({ counting }: Batch, workspaceId: string, count: () => Promise<T>): Promise<T> {
  const counted = (counting.get(workspaceId) ?? Promise.resolve()).then(count);
  counting.set(
    workspaceId,
    counted.catch(() => {}),
  );
  return counted;
}

/** Notes a bounce or a complaint that was counted, for the log line at the end. */
export function noteFailure({ failures }: Batch, workspaceId: string, type: 'bounced' | 'complained'): void {
  const counts = failures.get(workspaceId) ?? { bounced: 0, complained: 0 };
  counts[type] += 1;
  failures.set(workspaceId, counts);
}

/**
 * Writes and queues what the batch collected, and suspends workspaces whose rates are too high. The feedback watermark
 * moves only when every record succeeded: a failed one is received again, and the watermark must not be ahead of it.
 */
export async function closeBatch(batch: Batch, failures: number): Promise<void> {
  // First: what was counted stays counted, even if the rest fails and the batch is received again.
  for (const [workspaceId, counts] of batch.failures) logActivity(workspaceId, counts, batch.now);
  await Promise.all([
    dispatchDeliveries(batch.deliveries),
    batch.counters.write(),
    batch.runCounters.write(),
    putListings(batch.listings),
    sendAutomationMessages(batch.runMail.map((entry) => ({ entry }))),
    noteMarks(batch),
  ]);
  const judge = (ids: ReadonlySet<string>, verdict: (workspace: Workspace, now: Date) => Promise<unknown>) =>
    [...ids].map(async (workspaceId) => {
      const workspace = await getWorkspace(workspaceId);
      if (workspace) await verdict(workspace, batch.now);
    });
  await Promise.all([
    ...judge(batch.toJudge, suspendIfExceeded),
    ...judge(batch.serviceMailToJudge, pauseConfirmationsIfExceeded),
  ]);
  if (failures === 0) await moveWatermark(batch.acceptedSentAt);
}

/** Mail marks that are read in one call: DynamoDB reads a hundred items a call, two for each mark. */
const marksOfCall = 50;
const callsAtOnce = 4;

async function noteMarks({ mailMarks, now }: Batch): Promise<void> {
  if (mailMarks.size === 0) return;
  const expiresAt = epochSeconds(now) + config('EVENT_RETENTION_DAYS') * secondsInDay;
  const marks = [...mailMarks.values()];
  const groups = Array.from({ length: Math.ceil(marks.length / marksOfCall) }, (_, group) =>
    marks.slice(group * marksOfCall, (group + 1) * marksOfCall),
  );
  await inParallel(callsAtOnce, groups, (group) => Promise.all(group.map((mark) => noteMail(mark, expiresAt, now))));
}

let sinceMoved: (() => number) | undefined;

/** Moves the feedback watermark of single emails. A failure is only logged: the next batch moves it. */
async function moveWatermark(sentAt: readonly Date[]): Promise<void> {
  if (sentAt.length === 0 || (sinceMoved && sinceMoved() < watermarkPauseSeconds * 1000)) return;
  sinceMoved = serviceStopwatch();
  try {
    await raiseEmailWatermark(new Date(Math.max(...sentAt.map((at) => at.getTime()))));
  } catch (error) {
    logger.warn('The feedback watermark could not be written.', error as Error);
  }
}
