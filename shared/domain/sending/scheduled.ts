import { type Text, textsOf } from '../../language/text.ts';

/** An email of which the provider knows nothing yet: waiting for its time, on its way, or never sent. */
export const scheduledStates = ['scheduled', 'sending', 'canceled'] as const;

/** Why one was never sent: asked for, or the refusal that it met when its time had come. */
export const cancelReasons = [
  'requested',
  'suppressed_recipient',
  'unverified_from_domain',
  'reputation_blocked',
  'quota_exceeded',
  'validation_error',
  'send_failed',
  'person_erased',
] as const;
export type CancelReason = (typeof cancelReasons)[number];

const dayMilliseconds = 86_400_000;
const longestAheadDays = 30;

const texts = textsOf({
  past: { en: 'must lie in the future', fr: 'doit être dans le futur' },
  far: {
    en: `must lie at most ${longestAheadDays} days ahead`,
    fr: `doit être à ${longestAheadDays} jours au plus`,
  },
});

/** What is wrong with a moment to send at; null when nothing is. */
export function momentProblem(at: Date, now: Date): Text | null {
  if (at <= now) return texts.past;
  return at.getTime() - now.getTime() > longestAheadDays * dayMilliseconds ? texts.far : null;
}

/** How long after its time an email is still tried, and how long after each try the next one comes at most. */
const tryingMilliseconds = dayMilliseconds;
const longestPauseMinutes = 30;

/** When one that the provider did not take is tried again: ever later, for a day. Null when it is given up. */
export function nextTryAt(scheduledAt: Date, tries: number, now: Date): Date | null {
  const next = new Date(now.getTime() + Math.min(2 ** tries, longestPauseMinutes) * 60_000);
  return next.getTime() - scheduledAt.getTime() > tryingMilliseconds ? null : next;
}

/** What a try that died has taken from the quota looks taken for seven minutes, until its minute is settled. */
const unsettledMilliseconds = 15 * 60_000;

/**
 * True when a refusal may be nobody's but the email's own earlier try's: its share of the quota is still taken, and the
 * try after it finds no room. `isTakenOver`: the worker before died with the email.
 */
export function isPassing(
  reason: CancelReason,
  { scheduledAt, tries, isTakenOver }: { scheduledAt: Date; tries: number; isTakenOver: boolean },
  now: Date,
): boolean {
  if (reason !== 'quota_exceeded') return false;
  return isTakenOver || (tries > 0 && now.getTime() - scheduledAt.getTime() < unsettledMilliseconds);
}
