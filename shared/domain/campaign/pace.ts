/** What the provider lets an account send (SES GetAccount): `-1` a day is no limit. */
export interface AccountRate {
  /** Recipients a second. */
  readonly perSecond: number;
  /** Recipients in 24 hours that roll; null is no limit. */
  readonly perDay: number | null;
  readonly sentInDay: number;
}

/** The part of the rate that campaigns leave to single mail, so that a password reset never waits for a newsletter. */
const singleMailShare = (perSecond: number): number => Math.min(Math.max(1, perSecond / 10), perSecond / 2);

/** Recipients a second that all campaigns together may send. */
export const campaignRate = (perSecond: number): number => perSecond - singleMailShare(perSecond);

/** What campaigns may still send of the day: nine tenths of it is theirs. */
export function leftOfDay({ perDay, sentInDay }: AccountRate): number {
  return perDay === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(perDay * 0.9) - sentInDay);
}

/** Of campaigns' nine tenths: what the whole account sends in half a second. */
const secondsOfCall = 0.56;

/**
 * Recipients of one call, of so many that wait: at most what the account sends in half a second, so that two calls that
 * come together do not empty the provider's bucket; and even shares, since one of 45 and one of 5 cost what two of 25 do.
 */
export function callSize(rate: number, waiting: number): number {
  const most = Math.max(1, Math.floor(rate * secondsOfCall));
  return Math.ceil(waiting / Math.max(1, Math.ceil(waiting / most)));
}

/** After a throttled call everybody goes half as fast; each quiet interval gives a tenth of the full rate back. */
const slowest = 1 / 64;
export const slowed = (factor: number): number => Math.max(slowest, factor / 2);
export const recovered = (factor: number): number => Math.min(1, factor + 0.1);

/** How far ahead a place may be taken; who finds none comes back instead of waiting. */
export const paceHorizonMilliseconds = 2000;
