import { ServiceError } from '../../contract/errors.ts';
import { envelopesOf } from '../../domain/sending/envelope.ts';
import type { Minute } from '../../domain/sending/minute.ts';
import { plans, quotaResetsAt } from '../../domain/sending/plan.ts';
import type { Tracking } from '../../domain/sending/tracking.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { Mime } from '../../email/mime/mimeParts.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import type { Email, EmailContent } from '../../store/sending/email.ts';
import { getEmail } from '../../store/sending/emails.ts';
import type { AttemptKind } from '../../store/sending/reservations.ts';
import { type Attempt, openPart, resultOf } from './attempt.ts';
import { type EarlyReservation, noteSighting } from './earlyReservation.ts';
import { giveBackFor, reserveFor } from './reservation.ts';
import { SendFailure } from './sendFailure.ts';
import { type Stop, transmit } from './transmit.ts';
import { waiting } from './waiting.ts';

/** A checked email on its way out. */
export interface Outgoing {
  readonly workspaceId: string;
  readonly emailId: string;
  /** `later` when an earlier call under the same Idempotency-Key did not send it whole. */
  readonly attempt: AttemptKind;
  /** Envelopes of which nobody can say whether an earlier call sent them. */
  readonly inDoubt: readonly number[];
  /** False when another call has taken this send over meanwhile. */
  isStillOurs(): Promise<boolean>;
  /** Every recipient once. */
  readonly addresses: readonly string[];
  readonly content: EmailContent;
  /** True for confirmations, which the quota does not count. */
  readonly isQuotaExempt?: boolean;
  /** What was reserved for it while it was checked, if anything was. */
  readonly early?: EarlyReservation | null;
  readonly tracking: Tracking;
  /** Of one that was scheduled: when it was asked for, and for when. */
  readonly schedule?: { readonly createdAt: string; readonly at: string };
  readonly now: Date;
}

/**
 * Reserves, sends envelope by envelope, and notes what was accepted. Throws `quota_exceeded`, `conflict` when another
 * call has taken the send over, or a `SendFailure`: any other error comes before the provider is asked for anything.
 */
export async function deliver(
  outgoing: Outgoing,
  mime: Mime,
  workspace: Workspace,
): Promise<{ id: string; createdAt: string }> {
  const earlier = outgoing.attempt === 'later' ? await getEmail(outgoing.workspaceId, outgoing.emailId) : null;
  const email = earlier?.email ?? newEmail(outgoing);
  const accepted = email.envelopes.map((_, index) => Boolean(earlier?.messageIds[index]));
  const answer = { id: email.id, createdAt: email.createdAt };
  if (accepted.every(Boolean)) return answer;
  const minute = await takeQuota(email, openPart({ email, accepted }), workspace, outgoing);
  const { inDoubt, now: startedAt } = outgoing;
  const attempt: Attempt = { email, accepted, inDoubt, minute, startedAt, isStillOurs: () => outgoing.isStillOurs() };
  const { stop, marked } = await transmit(attempt, mime, outgoing.tracking);
  const isRecorded = await marked;
  if (stop) await fail(attempt, stop, isRecorded);
  return answer;
}

/** An email as it is before anything of it was sent. */
export function newEmail({
  workspaceId,
  emailId,
  addresses,
  content,
  isQuotaExempt = false,
  schedule,
  now,
}: Pick<Outgoing, 'workspaceId' | 'emailId' | 'addresses' | 'content' | 'isQuotaExempt' | 'schedule' | 'now'>): Email {
  return {
    ...content,
    workspaceId,
    id: emailId,
    envelopes: envelopesOf(addresses),
    createdAt: schedule?.createdAt ?? now.toISOString(),
    ...(schedule && { scheduledAt: schedule.at }),
    expiresAt: epochSeconds(now) + config('EMAIL_RETENTION_DAYS') * secondsInDay,
    isQuotaExempt,
  };
}

/** Rule 3: the quota is taken before anything is sent, and the attempt is listed before the provider is called. */
async function takeQuota(
  email: Email,
  addresses: readonly string[],
  { plan }: Workspace,
  { attempt, early, now }: Outgoing,
): Promise<Minute> {
  const limit = email.isQuotaExempt ? Number.MAX_SAFE_INTEGER : plans[plan].monthlyQuota;
  const minute = await early?.take(limit);
  if (minute !== null && minute !== undefined) return minute;
  const reserved = await reserveFor(email, addresses, limit, now, attempt);
  if (reserved.ok) {
    if (attempt === 'only') noteSighting(email.workspaceId, { limit, used: reserved.used });
    return reserved.minute;
  }
  throw new ServiceError('quota_exceeded', {
    details: { limit, used: reserved.used, requested: addresses.length, resets_at: quotaResetsAt(now) },
  });
}

/** Gives back what was not sent, and says what became of the rest. */
async function fail(attempt: Attempt, stop: Stop, isRecorded: boolean): Promise<never> {
  const { email, accepted, minute } = attempt;
  const unanswered = stop.kind === 'unknown' ? accepted.indexOf(false) : null;
  const unsent = email.envelopes.filter((_, index) => !accepted[index] && index !== unanswered).flat();
  await giveBackFor(email, unsent, minute).catch((error: unknown) =>
    logger.warn('What was not sent is given back to the quota when its minute is settled.', error as Error),
  );
  if (stop.kind === 'superseded') throw waiting('working', 1);
  throw new SendFailure(stop, resultOf(attempt, unanswered), unanswered !== null || !isRecorded);
}
