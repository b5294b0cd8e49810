import { scheduledLateSeconds } from '../../domain/sending/email.ts';
import { addSeconds, now as currentTime, stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { inParallel } from '../../platform/parallel.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { type DelayedMessage, sendScheduledMessages } from '../../queue/scheduledEmail.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { attemptMessage, type WebhookMessage } from '../../queue/webhookMessage.ts';
import { getRunner, listLateRunners } from '../../store/campaign/runners.ts';
import type { Due } from '../../store/emails/scheduledEmails.ts';
import {
  type DueScheduled,
  listDueScheduled,
  scheduledAheadSeconds,
  takeDue,
} from '../../store/emails/scheduledEmails.ts';
import { listLateJobs, releaseLateJob } from '../../store/jobs.ts';
import { listDueConfirmations } from '../../store/person/links.ts';
import { type DueWork, listDueWork, putOffAttempt, putOffErasure } from '../../store/webhook/deliveryChanges.ts';
import { wake } from '../campaigns/runners.ts';
import { queueConfirmation } from '../confirmations/askForConsent.ts';
import { isSendingHeld } from '../sendingHold.ts';
import { SweepRun } from './internal/sweepRun.ts';

/*
 * Work that is due and has no message: it was never queued, its message was lost, or its worker crashed. Each is queued
 * again, then left alone for a while. A second message for the same work does no harm: the first worker has claimed it.
 * While all sending is held, what would be sent stays due.
 */

const confirmationsPerShard = 250;
const confirmationsAtOnce = 10;

/** A confirmation stays due until a worker claims it, or until its hour of waiting has passed. */
export async function sweepDueConfirmations(now: Date): Promise<void> {
  if (await isSendingHeld()) return;
  const due = await listDueConfirmations(now, confirmationsPerShard);
  await inParallel(confirmationsAtOnce, due, ({ workspaceId, email }) => queueConfirmation(workspaceId, email));
}

/** EventBridge Scheduler is exact to a minute: after that the message of a delivery should have arrived. */
const deliveryLateSeconds = 60;
/** A message may wait in a backlog: it does not count as lost again before this time. */
const deliveryPauseSeconds = 600;
const deliveriesPerShard = 250;
const deliveriesAtOnce = 25;

/** Attempts at webhooks, and delivery logs that are to be erased. */
export async function sweepDueDeliveries(now: Date): Promise<void> {
  const due = await listDueWork(addSeconds(now, -deliveryLateSeconds), deliveriesPerShard);
  const run = new SweepRun();
  let queued = 0;
  // Messages are sent for each slice before the next slice is postponed, so that a crash loses few.
  for (let start = 0; start < due.length; start += deliveriesAtOnce) {
    const slice = due.slice(start, start + deliveriesAtOnce);
    const taken = await run.each(deliveriesAtOnce, slice, (work) => putOffDelivery(work, now));
    const messages = taken.filter((message) => message !== null);
    await sendWebhookMessages(messages);
    queued += messages.length;
  }
  if (queued > 0) logger.warn('Forgotten deliveries were queued again.', { count: queued });
  run.end();
}

/** Null when a worker or another sweeper was faster. */
async function putOffDelivery(work: DueWork, now: Date): Promise<WebhookMessage | null> {
  const until = addSeconds(now, deliveryPauseSeconds);
  if (work.kind === 'erasure') {
    const { workspaceId, webhookId } = work;
    return (await putOffErasure(work, until)) ? { kind: 'erase', workspaceId, webhookId } : null;
  }
  const delivery = await putOffAttempt(work, until);
  return delivery && { ...attemptMessage(delivery), twin: true };
}

const scheduledPauseSeconds = 300;
const scheduledPerShard = 500;
const scheduledAtOnce = 25;
/** The part of a sweep's five minutes for this task. */
const scheduledMilliseconds = 40_000;

/** Scheduled emails: those that are late, and those of the next ten minutes, each with the delay that is left to it. */
export async function sweepDueScheduled(now: Date): Promise<void> {
  if (await isSendingHeld()) return;
  const run = new SweepRun();
  const elapsed = stopwatch();
  const late = await queueScheduled(run, 'queued', now, elapsed);
  if (late > 0) logger.warn('Late scheduled emails were queued again.', { count: late });
  await queueScheduled(run, 'far', addSeconds(now, scheduledAheadSeconds), elapsed);
  run.end();
}

/** Tries each email once: what fails, or what the index shows in its old state, is left to the next run. */
async function queueScheduled(run: SweepRun, stage: Due['stage'], by: Date, elapsed: () => number): Promise<number> {
  let queued = 0;
  const tried = new Set<string>();
  while (elapsed() < scheduledMilliseconds) {
    const listed = await listDueScheduled(stage, by, scheduledPerShard);
    const due = listed.filter(({ key }) => !tried.has(key.pk));
    if (due.length === 0) break;
    for (const { key } of due) tried.add(key.pk);
    const taken = await run.each(scheduledAtOnce, due, (one) => takeScheduled(one, stage));
    const messages = taken.filter((message) => message !== null);
    await sendScheduledMessages(messages);
    queued += messages.length;
  }
  return queued;
}

async function takeScheduled(due: DueScheduled, stage: Due['stage']): Promise<DelayedMessage | null> {
  const now = currentTime();
  const lateAt = stage === 'far' ? addSeconds(due.dueAt, scheduledLateSeconds) : addSeconds(now, scheduledPauseSeconds);
  const email = await takeDue(due, lateAt);
  if (!email) return null;
  return {
    entry: { kind: 'send', workspace_id: email.workspaceId, email_id: email.id, scheduled_at: email.scheduledAt },
    delaySeconds: stage === 'far' ? (due.dueAt.getTime() - now.getTime()) / 1000 : 0,
  };
}

const jobsPerRun = 100;
const jobsAtOnce = 25;
const jobPauseSeconds = 120;

/** Background jobs. */
export async function sweepLateJobs(now: Date): Promise<void> {
  const late = await listLateJobs(now, jobsPerRun);
  const run = new SweepRun();
  const queued = await run.each(jobsAtOnce, late, async (job) => {
    if (!(await releaseLateJob(job, addSeconds(now, jobPauseSeconds)))) return false;
    await sendJobMessage({ kind: 'job', workspace_id: job.workspaceId, job_id: job.id });
    return true;
  });
  const count = queued.filter(Boolean).length;
  if (count > 0) logger.warn('Late jobs were queued again.', { count });
  run.end();
}

const runnersPerShard = 100;
const runnersAtOnce = 25;

/** Campaign runners. A runner that still works ignores the second message. */
export async function sweepLateRunners(now: Date): Promise<void> {
  const late = await listLateRunners(now, runnersPerShard);
  const run = new SweepRun();
  const woken = await run.each(runnersAtOnce, late, async (position) => {
    const runner = await getRunner(position);
    if (runner) await wake(runner);
    return runner !== null;
  });
  const count = woken.filter(Boolean).length;
  if (count > 0) logger.warn('Runners of campaigns were woken again.', { count });
  run.end();
}
