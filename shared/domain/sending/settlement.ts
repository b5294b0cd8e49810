/*
 * When may a send whose outcome is unknown be repeated under its Idempotency-Key? SES has no idempotency token: a message
 * that is repeated too early arrives twice.
 */

/** No call gives a message to the provider later than this after its start. */
const sendingMilliseconds = 30_000;

/** How long a call without an outcome may still be running: until then its key stays reserved. */
const workingMilliseconds = 60_000;

/**
 * How much later than events of the same time an acceptance may arrive. The longest regular delay is that of an event
 * whose worker crashed: its visibility timeout is six times the function's timeout, 180 seconds.
 */
export const longestEventDelayMilliseconds = 200_000;

/** After this time an acceptance is no longer expected. */
const giveUpMilliseconds = 300_000;

/** How long events may remain unread before the outcome of a send is unknown for good: it is not sent again. */
const unknownMilliseconds = 86_400_000;

/** Whether the time for waiting for events of a send has passed. */
export const isUnknownForGood = (startedAt: number, now: number): boolean => now - startedAt >= unknownMilliseconds;

/** The longest `Retry-After` while an acceptance may still arrive. */
const longestRetryAfterSeconds = 30;

export type UnansweredSend =
  /** `working`: its call may still be running. `unconfirmed`: the call has ended, and an acceptance may still arrive. */
  | { readonly kind: 'working' | 'unconfirmed'; readonly retryAfterSeconds: number }
  /** Acceptances of later messages have arrived: the provider did not take this one. */
  | { readonly kind: 'not taken' }
  /** No acceptance arrived in time. The send may be repeated, although the first message may be out. */
  | { readonly kind: 'given up' };

/** The state of a send without an outcome. Times in Unix milliseconds; `watermark` is the feedback watermark. */
export function unansweredSend(startedAt: number, watermark: number | null, now: number): UnansweredSend {
  const age = now - startedAt;
  if (age < workingMilliseconds) return { kind: 'working', retryAfterSeconds: seconds(workingMilliseconds - age) };
  if (watermark !== null && watermark >= startedAt + sendingMilliseconds + longestEventDelayMilliseconds) {
    return { kind: 'not taken' };
  }
  if (age >= giveUpMilliseconds) return { kind: 'given up' };
  const rest = seconds(giveUpMilliseconds - age);
  return { kind: 'unconfirmed', retryAfterSeconds: Math.min(longestRetryAfterSeconds, rest) };
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));

/**
 * A settlement bucket: the minute (counted from the epoch) in which quota is reserved for single emails. While it is open,
 * acceptances are counted in it. Later it is settled, once.
 */
export type Minute = number;

const milliseconds = 60_000;
/** Quota is not returned while an acceptance is still expected. */
const settleMilliseconds = giveUpMilliseconds;
/** A write that starts while the bucket is open ends before it is settled. */
const openMilliseconds = settleMilliseconds - 60_000;

export const minuteOf = (at: Date): Minute => Math.floor(at.getTime() / milliseconds);

export const startOf = (minute: Minute): Date => new Date(minute * milliseconds);
const endOf = (minute: Minute): number => (minute + 1) * milliseconds;

export const isOpen = (minute: Minute, now: Date): boolean => now.getTime() < endOf(minute) + openMilliseconds;

/** When a bucket may be settled. */
export const settlesAt = (minute: Minute): Date => new Date(endOf(minute) + settleMilliseconds);

/** The day (UTC, `2026-11-21`) of a bucket. */
export const dateOf = (minute: Minute): string => new Date(minute * milliseconds).toISOString().slice(0, 10);

/** What a message belongs to: this decides its quota, its feedback and its webhook events. */
export const holderKinds = ['email', 'campaign'] as const;
export type HolderKind = (typeof holderKinds)[number];

export interface Holder {
  readonly kind: HolderKind;
  readonly id: string;
}
