import { ServiceError } from '../../../contract/errors.ts';
import { monthOf } from '../../../domain/sending/quota.ts';
import type { Delivery } from '../../../domain/webhook/delivery.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { logger } from '../../../platform/logger.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { NewScheduledEmail } from '../../../store/emails/scheduledEmails.ts';
import { dispatchDeliveries } from '../../events.ts';
import { openRecipients } from '../deliver.ts';
import { tryLater } from '../sendFailure.ts';
import { type BatchEmail, scheduledTimeOf } from './batchChecks.ts';
import { checkQuota, newScheduledEmail, queueIfNear, storeBody, storeRecord } from './scheduleEmail.ts';

/** The outcome of a scheduled email; `unknown` after a lost answer. A retry stores it again, which is idempotent. */
export interface ScheduledBatchEmail {
  readonly email: BatchEmail;
  readonly status: 'scheduled' | 'not_sent' | 'unknown';
  /** Why it is not scheduled. */
  readonly providerCode?: string;
}

const emailsAtOnce = 16;

/** Stores emails until their scheduled times, each as a single one. It never throws. */
export async function scheduleAll(
  workspace: Workspace,
  emails: readonly BatchEmail[],
  now: Date,
): Promise<ScheduledBatchEmail[]> {
  const stored: NewScheduledEmail[] = [];
  const events: Delivery[] = [];
  const outcomes = await inParallel(emailsAtOnce, emails, async (email): Promise<ScheduledBatchEmail> => {
    const record = newScheduledEmail(
      { workspaceId: workspace.id, now },
      email.draft,
      email.id,
      scheduledTimeOf(email) ?? now,
    );
    let status: ScheduledBatchEmail['status'] = 'not_sent';
    try {
      await storeBody(record, email.draft);
      status = 'unknown';
      const deliveries = await storeRecord(record, workspace, now);
      if (deliveries) stored.push(record);
      events.push(...(deliveries ?? []));
      return { email, status: 'scheduled' };
    } catch (error) {
      logger.error('An email of a batch could not be scheduled.', { error: error as Error, email_id: record.id });
      return { email, status, providerCode: 'InternalError' };
    }
  });
  await Promise.all([queueIfNear(stored, now), dispatchDeliveries(events)]);
  return outcomes;
}

/**
 * For a batch with scheduled emails: the quota must already suffice for all of it that is sent this month. Throws
 * `quota_exceeded`, or `conflict` while a crashed call under the same key may hold what is missing.
 */
export async function checkBatchQuota(
  emails: readonly BatchEmail[],
  workspace: Workspace,
  { now, lostAt }: { readonly now: Date; readonly lostAt: number },
): Promise<void> {
  const thisMonth = emails.filter((email) => monthOf(scheduledTimeOf(email) ?? now) === monthOf(now));
  if (thisMonth.every((email) => scheduledTimeOf(email) === null)) return;
  const requested = thisMonth.reduce((sum, email) => sum + uncountedRecipients(email), 0);
  try {
    await checkQuota(workspace, requested, now, now);
  } catch (error) {
    if (error instanceof ServiceError && mayBeGivenBack(lostAt, now)) throw tryLater('unconfirmed', 30);
    throw error;
  }
}

/** Recipients of accepted envelopes are counted already. */
const uncountedRecipients = ({ draft: { addresses }, known }: BatchEmail): number =>
  known ? openRecipients({ email: known.email, accepted: known.messageIds.map(Boolean) }).length : addresses.length;

/** By then a crashed call's settlement bucket is settled: five minutes after its end, by a sweep every minute. */
const settledMilliseconds = 8 * 60_000;

/**
 * Whether a call that crashed at `lostAt` (Unix milliseconds) may still hold quota that the settlement will give back.
 */
export const mayBeGivenBack = (lostAt: number, now: Date): boolean => now.getTime() - lostAt < settledMilliseconds;
