import { PassingError } from '../../../contract/errors.ts';
import { scheduledLateSeconds } from '../../../domain/sending/email.ts';
import { usualPerSecond } from '../../../domain/sending/quota.ts';
import { addSeconds, now as currentTime } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { remembered } from '../../../platform/parallel.ts';
import { getPace, type Pace, takeBacklogSlot } from '../../../store/campaign/pace.ts';
import { addScheduled, type NewScheduledEmail } from '../../../store/emails/scheduledEmails.ts';
import { putSend, quotaOf } from '../../../store/quota/attempts.ts';
import { currentPace } from '../../sendingPace.ts';
import { type Deferral, type KeptEmail, openRecipients, type SendAttempt } from '../deliver.ts';
import type { Draft } from './draft.ts';
import { newScheduledEmail, queueScheduled, storeBody } from './scheduleEmail.ts';

/**
 * What SES defers for its rate alone waits for it: the email is kept as a scheduled one that is due now, and takes the
 * next free slot of the account's backlog, so that what waited first goes out first. docs/design/rate.md has the rest.
 */
export const keepingForRate = (draft: Draft, now: Date): Deferral => ({
  isBacklog: () => backlogUntil > currentTime().getTime(),
  keep: (attempt) => keep(draft, attempt, now),
});

/** The end of the account's backlog as this process last saw it, in Unix milliseconds. */
let backlogUntil = 0;

/** The rate may have changed since; while mail waits, one process of the deployment asks for it again. */
const rateMilliseconds = 30_000;
let known: Pace | null = null;

/** All emails that are kept at the same time share one read. */
const recentPace = remembered(1000, async () => {
  const now = currentTime().getTime();
  if (!known || now - known.readAt >= rateMilliseconds) known = await currentPace(now, null, rateMilliseconds);
  return known;
});

async function perSecond(): Promise<number> {
  try {
    return (await recentPace()).account.perSecond;
  } catch (error) {
    logger.warn('The rate of the account could not be read: an older one is taken.', error as Error);
    const older = known ?? (await getPace());
    return older?.account.perSecond ?? usualPerSecond;
  }
}

const shortestRetrySeconds = 10;

/**
 * First the slot, then the body, then the record, which is what keeps the email, then a message for the queue. After a
 * crash a slot passes unused, a body without a record expires, and the sweeper queues a record without a message.
 */
async function keep(draft: Draft, attempt: SendAttempt, now: Date): Promise<KeptEmail> {
  const kept = keptEmail(draft, attempt, now);
  let slot: Date;
  try {
    const [rate, at] = [await perSecond(), currentTime().getTime()];
    const taken = await takeBacklogSlot(rate, openRecipients(attempt).length, at, backlogUntil);
    backlogUntil = taken.until;
    if (taken.kind === 'full') {
      const retryAfterSeconds = Math.max(shortestRetrySeconds, Math.ceil(taken.excessMilliseconds / 1000));
      return { kind: 'full', error: new PassingError('backlog', { retryAfterSeconds }) };
    }
    slot = new Date(taken.startsAt);
    await Promise.all([storeBody(kept, draft), listAlone(attempt)]);
  } catch (error) {
    logger.error('An email that waits for the rate of the provider could not be kept.', error as Error);
    return { kind: 'not kept' };
  }
  try {
    // If another call under the same key has kept it, both mean the same email.
    if (!(await addScheduled(kept, { stage: 'queued', at: addSeconds(slot, scheduledLateSeconds) }))) return isKept;
  } catch (error) {
    logger.error('Whether an email was kept is unknown.', error as Error);
    return { kind: 'unknown' };
  }
  await queueScheduled([{ ...kept, dueAt: slot }], currentTime());
  return isKept;
}

const isKept = { kind: 'kept' } as const;

/** The attempt at an email of a batch gets an item of its own, by which the worker takes its reservation over. */
async function listAlone({ email, accepted, list, minute }: SendAttempt): Promise<void> {
  if (list !== undefined) await putSend(email, quotaOf(email, openRecipients({ email, accepted })), minute);
}

/** With an envelope that is out already it can no longer be canceled: as after a partial attempt. */
function keptEmail(draft: Draft, { email, accepted, minute }: SendAttempt, now: Date): NewScheduledEmail {
  return {
    ...newScheduledEmail({ workspaceId: email.workspaceId, now }, draft, email.id, now),
    ...(accepted.some(Boolean) && { state: 'sending', claimedAt: 0 }),
    createdAt: email.createdAt,
    reservedIn: minute,
  };
}
