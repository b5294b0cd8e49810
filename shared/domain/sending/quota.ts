export const planNames = ['free', 'starter', 'growth', 'scale'] as const;

export type PlanName = (typeof planNames)[number];

export const plans: Readonly<Record<PlanName, { readonly monthlyQuota: number }>> = {
  free: { monthlyQuota: 3_000 },
  starter: { monthlyQuota: 50_000 },
  growth: { monthlyQuota: 500_000 },
  scale: { monthlyQuota: 5_000_000 },
};

/** The month in UTC that a send counts in: `2026-11`. */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** When the next month begins, ISO 8601 UTC. */
export function quotaResetsAt(date: Date): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}

/** The account's sending limits (SES GetAccount). */
export interface AccountRate {
  /** Recipients a second. */
  readonly perSecond: number;
  /** Recipients in a rolling 24 hours; null for no limit, which SES writes as -1. */
  readonly perDay: number | null;
  readonly sentInDay: number;
}

/** The part of the rate that campaigns leave to single emails, so that a password reset never waits for a newsletter. */
const singleMailShare = (perSecond: number): number => Math.min(Math.max(1, perSecond / 10), perSecond / 2);

/** The rate of all campaigns together, in recipients a second. */
export const campaignRate = (perSecond: number): number => perSecond - singleMailShare(perSecond);

/**
 * The rate of single emails that wait for SES's rate, in recipients a second: a little below it, so that what is sent at
 * the same time without waiting (confirmations) does not throttle them again.
 */
export const backlogRate = (perSecond: number): number => perSecond * 0.95;

/** How much waiting mail is kept; beyond it calls are refused. */
export const longestBacklogMilliseconds = 600_000;

/** The rate of a new production account, for as long as the account's own could not be read. */
export const usualPerSecond = 14;

/** How many recipients campaigns may still send to in the current 24 hours: they may use 90 % of the limit. */
export function leftOfDay({ perDay, sentInDay }: AccountRate): number {
  return perDay === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(perDay * 0.9) - sentInDay);
}

/** A throttled call halves the rate factor; each quiet interval restores a tenth of the full rate. */
const slowest = 1 / 64;
export const slowed = (factor: number): number => Math.max(slowest, factor / 2);
export const recovered = (factor: number): number => Math.min(1, factor + 0.1);

/** How far ahead a slot may be taken. Without a free slot a runner ends its run instead of waiting. */
export const paceHorizonMilliseconds = 2000;
