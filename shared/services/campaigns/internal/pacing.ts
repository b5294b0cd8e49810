import { callSize } from '../../../domain/campaign/pace.ts';
import { campaignRate, leftOfDay, recovered, slowed } from '../../../domain/sending/quota.ts';
import { logger } from '../../../platform/logger.ts';
import { type Pace, putFactor } from '../../../store/campaign/pace.ts';

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
