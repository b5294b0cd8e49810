import { setTimeout as wait } from 'node:timers/promises';
import { callSize, campaignRate, leftOfDay, recovered, slowed } from '../../../domain/campaign/pace.ts';
import { readSendingAccount } from '../../../email/sesAccount.ts';
import { logger } from '../../../platform/logger.ts';
import { getPace, mayReadAccount, type Pace, putAccountRate, putFactor } from '../../../store/campaign/pace.ts';

/** The maximum age of the account's figures. Messages sent since are counted in the pace itself. */
const accountMilliseconds = 180_000;
const retryMilliseconds = 2000;

/**
 * The account's pace. When its figures are too old, one process reads them again while the others continue with the old
 * ones.
 */
export async function currentPace(now: number, seen?: Pace | null): Promise<Pace> {
  const pace = seen ?? (await getPace());
  if (pace && now - pace.readAt < accountMilliseconds) return pace;
  if (await mayReadAccount(now, pace?.readAt ?? null, retryMilliseconds)) {
    const account = await readSendingAccount();
    await putAccountRate(account, now);
    return { factor: 1, until: 0, ...pace, account, readAt: now };
  }
  if (pace) return pace;
  await wait(250);
  return currentPace(Date.now());
}

/** How many of the waiting recipients one call takes: limited by the current rate and the rest of the day's quota. */
export function sizeOfCall({ account, factor }: Pace, waiting: number): number {
  const rate = campaignRate(account.perSecond) * factor;
  return Math.max(1, Math.min(callSize(rate, waiting), leftOfDay(account)));
}

/** Calls that are throttled within this time of each other slow the campaigns down once. */
const throttledMilliseconds = 1000;
const quietMilliseconds = 5000;

/** Halves the rate of all campaigns after a throttled call. */
export async function slowDown(pace: Pace, now: number): Promise<void> {
  const factor = slowed(pace.factor);
  const isSlower = await putFactor(pace.factor, factor, { now, quietMilliseconds: throttledMilliseconds });
  if (isSlower) logger.warn('The provider throttles: campaigns go slower.', { factor });
}

/** After a call without throttling, takes a step back towards the full rate; at most one in 5 seconds. */
export async function speedUp(pace: Pace, now: number): Promise<void> {
  if (pace.factor < 1) await putFactor(pace.factor, recovered(pace.factor), { now, quietMilliseconds });
}
