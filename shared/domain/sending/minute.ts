import { patienceMilliseconds } from './silence.ts';

/**
 * Reservations of single emails are settled minute by minute. A minute is counted from the epoch, UTC. While it is open
 * its sends may still be accepted on its account; some time after, it is settled once and for all.
 */
export type Minute = number;

const milliseconds = 60_000;
/** Nothing is given back while somebody may still wait for the provider's word on it. */
const settleMilliseconds = patienceMilliseconds;
/** What a worker with half a minute before it began to write while the minute was open has arrived when it is settled. */
const openMilliseconds = settleMilliseconds - 60_000;

export const minuteOf = (at: Date): Minute => Math.floor(at.getTime() / milliseconds);

const endOf = (minute: Minute): number => (minute + 1) * milliseconds;

export const isOpen = (minute: Minute, now: Date): boolean => now.getTime() < endOf(minute) + openMilliseconds;

/** When a minute may be settled. */
export const settlesAt = (minute: Minute): Date => new Date(endOf(minute) + settleMilliseconds);

/** The day (UTC, `2026-11-21`) that it belongs to, and with it the month: a minute never spans two. */
export const dateOf = (minute: Minute): string => new Date(minute * milliseconds).toISOString().slice(0, 10);
