import { type Text, textsOf } from '../../language/text.ts';
import { addressKey, isSimulatorAddress } from '../address.ts';
import { timeOfId } from '../identifier.ts';
import type { Preferences, TrackedAction } from '../person/person.ts';

/** In order of rank. Events arrive late, repeatedly and in any order, so a status only moves to a higher rank. */
export const emailStatuses = ['sent', 'delivered', 'bounced', 'complained'] as const;

export type EmailStatus = (typeof emailStatuses)[number];

export function statusRank(status: EmailStatus): number {
  return emailStatuses.indexOf(status);
}

/** True when `next` may replace `current`. */
export function outranks(next: EmailStatus, current: EmailStatus): boolean {
  return statusRank(next) > statusRank(current);
}

/** The status of a message with several recipients; `sent` for none. */
export function worstStatus(statuses: readonly EmailStatus[]): EmailStatus {
  return statuses.reduce((worst, status) => (outranks(status, worst) ? status : worst), 'sent');
}

/** What emails are listed by: a recipient (canonical form), a tag (`name:value`) or a status. */
export interface EmailTrait {
  readonly kind: 'recipient' | 'tag' | 'status';
  readonly value: string;
}

/** SES accepts 50 recipients a message: To, Cc and Bcc together. */
const envelopeSize = 50;

/** Removes addresses that compare equal (see `addressKey`), keeping the order. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!seen.has(key)) seen.set(key, address);
  }
  return [...seen.values()];
}

export function envelopesOf(addresses: readonly string[]): string[][] {
  const envelopes: string[][] = [];
  for (let start = 0; start < addresses.length; start += envelopeSize) {
    envelopes.push(addresses.slice(start, start + envelopeSize));
  }
  return envelopes;
}

/** The number of addresses that count in the reputation: all but the provider's simulator. */
export function countedRecipients(addresses: readonly string[]): number {
  return addresses.filter((address) => !isSimulatorAddress(address)).length;
}

/** Which actions of readers the provider reports. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** Tracking options of one message. Absent ones follow the workspace. */
export interface TrackingOptions {
  readonly opens?: boolean | undefined;
  readonly clicks?: boolean | undefined;
}

/** For mail that is never tracked. */
export const untracked: Tracking = { opens: false, clicks: false };

/** What none of these people refuses. */
export const allowedTracking = (people: readonly Pick<Preferences, TrackedAction>[]): Tracking => ({
  opens: people.every(({ opens }) => opens !== 'denied'),
  clicks: people.every(({ clicks }) => clicks !== 'denied'),
});

/** The tracking without what a recipient refuses. */
export const withinAllowed = (tracking: Tracking, allowed: Tracking): Tracking => ({
  opens: tracking.opens && allowed.opens,
  clicks: tracking.clicks && allowed.clicks,
});

/** The tracking of a message: its own options, else those of the workspace. */
export function trackingOf(
  { trackOpens, trackClicks }: { readonly trackOpens: boolean; readonly trackClicks: boolean },
  options: TrackingOptions = {},
): Tracking {
  return { opens: options.opens ?? trackOpens, clicks: options.clicks ?? trackClicks };
}

/** States of an email that was not given to the provider yet, or never was. */
export const scheduledStates = ['scheduled', 'sending', 'canceled'] as const;

/** Why a scheduled email was never sent: on request, or the refusal at its time. */
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
  past: { en: 'must be in the future', fr: 'doit être dans le futur' },
  far: {
    en: `must be at most ${longestAheadDays} days ahead`,
    fr: `doit être à ${longestAheadDays} jours au plus`,
  },
});

/** The problem of a time to send at; null when it is valid. */
export function momentProblem(at: Date, now: Date): Text | null {
  if (at <= now) return texts.past;
  return at.getTime() - now.getTime() > longestAheadDays * dayMilliseconds ? texts.far : null;
}

/** A scheduled email is late, and queued again, this long after the time that its message was queued for. */
export const scheduledLateSeconds = 60;

/** How long after its time an email is retried, and the longest pause between two tries. */
const retryWindowMilliseconds = dayMilliseconds;
const longestPauseMinutes = 30;

/** The time of the next try, with growing pauses, for a day; null to give up. */
export function nextTryAt(scheduledAt: Date, tries: number, now: Date): Date | null {
  const next = new Date(now.getTime() + Math.min(2 ** tries, longestPauseMinutes) * 60_000);
  return next.getTime() - scheduledAt.getTime() > retryWindowMilliseconds ? null : next;
}

/** A crashed try keeps its quota until its settlement, about seven minutes later. */
const unsettledMilliseconds = 15 * 60_000;

/**
 * True when a refusal for lack of quota may be caused by an earlier try of the same email whose quota is not settled yet.
 * `isTakenOver`: the process of the earlier try crashed.
 */
export function isPassing(
  reason: CancelReason,
  { scheduledAt, tries, isTakenOver }: { scheduledAt: Date; tries: number; isTakenOver: boolean },
  now: Date,
): boolean {
  if (reason !== 'quota_exceeded') return false;
  return isTakenOver || (tries > 0 && now.getTime() - scheduledAt.getTime() < unsettledMilliseconds);
}

const secondsInDay = 86_400;

/** The records of an email in the table, and its copy, in Unix seconds. `keptUntil` is absent for an email that is not copied. */
export interface KeptTimes {
  readonly expiresAt: number;
  readonly keptUntil?: number;
}

/**
 * Only emails whose place in the list of all emails follows from their id are copied: an email that was sent later than
 * its id says (scheduled, or repeated under a key) stays in the table as long as it is kept.
 */
export function keptTimes(
  { id, createdAt, mayBeCopied }: { readonly id: string; readonly createdAt: string; readonly mayBeCopied: boolean },
  keptUntil: number,
  hotDays: number,
): KeptTimes {
  const hotUntil = Math.floor(Date.parse(createdAt) / 1000) + hotDays * secondsInDay;
  const isCopied = mayBeCopied && hotUntil < keptUntil && timeOfId(id).toISOString() === createdAt;
  return isCopied ? { expiresAt: hotUntil, keptUntil } : { expiresAt: keptUntil };
}
