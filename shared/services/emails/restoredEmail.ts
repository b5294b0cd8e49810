import { scheduledLateSeconds } from '../../domain/sending/email.ts';
import { addSeconds, epochSeconds } from '../../platform/clock.ts';
import { findEmail } from '../../store/emails/email.ts';
import { reopenScheduled, reschedule, type ScheduledEmail } from '../../store/emails/scheduledEmails.ts';
import { end, finish } from './internal/endScheduled.ts';
import { endAsUnknown } from './sendScheduled.ts';

/** What became of a scheduled email of a restored table; `kept`: it is sent at its time. */
export type RestoredOutcome = 'kept' | 'sent' | 'canceled' | 'unknown';

/**
 * Settles a scheduled email of a restored table, so that it is not sent a second time, nor after it was canceled.
 * `before`: the same email in the former table; null when that has none, undefined when it cannot be read. Idempotent.
 */
export async function settleRestoredEmail(
  email: ScheduledEmail,
  before: ScheduledEmail | null | undefined,
  now: Date,
): Promise<RestoredOutcome> {
  if (email.state === 'canceled') return 'canceled';
  const known = await findEmail(email.workspaceId, email.id);
  if (known?.messageIds.every(Boolean)) {
    await finish(email);
    return 'sent';
  }
  if (isStillToBeSent(email, before, now)) return before ? asBefore(email, before, now) : 'kept';
  if (before?.state === 'canceled') {
    await end(email, { reason: before.reason ?? 'requested', providerCode: before.providerCode }, now);
    return 'canceled';
  }
  await endAsUnknown(email, known, now);
  return 'unknown';
}

/** Without the former table, only what was not due yet is certain not to have been sent. */
function isStillToBeSent(email: ScheduledEmail, before: ScheduledEmail | null | undefined, now: Date): boolean {
  if (before === undefined) return email.state === 'scheduled' && new Date(email.scheduledAt) > now;
  return before?.state === 'scheduled';
}

/** It may have been moved, or an attempt may have ended without a message. */
async function asBefore(email: ScheduledEmail, before: ScheduledEmail, now: Date): Promise<'kept'> {
  const at = new Date(before.scheduledAt);
  const due = { stage: 'queued', at: at > now ? addSeconds(at, scheduledLateSeconds) : now } as const;
  const open = email.state === 'sending' ? await reopenScheduled(email, true, before.tries, due) : email;
  if (open && open.scheduledAt !== before.scheduledAt) {
    await reschedule(open, before.scheduledAt, at > now ? { stage: 'far', at } : due, now, keptUntil(before, at));
  }
  return 'kept';
}

const keptUntil = ({ expiresAt }: ScheduledEmail, at: Date): number => Math.max(expiresAt, epochSeconds(at));
