import { setTimeout as wait } from 'node:timers/promises';
import { callSize, campaignRate, leftOfDay, recovered, slowed } from '../../../domain/campaign/pace.ts';
import { readSendingAccount } from '../../../email/providerAccount.ts';
import { logger } from '../../../platform/logger.ts';
import {
  getPace,
  mayReadAccount,
  type Pace,
  type Place,
  putAccountRate,
  putFactor,
  takePlace,
} from '../../../store/campaign/pace.ts';

/** How old the account's figures may be; what was sent since is counted in the pace itself. */
const accountMilliseconds = 180_000;
const askAgainMilliseconds = 2000;

/** The pace of the account, asked for anew when it is old: by one worker, while the others go on with what they know. */
export async function currentPace(now: number, seen?: Pace | null): Promise<Pace> {
  const pace = seen ?? (await getPace());
  if (pace && now - pace.readAt < accountMilliseconds) return pace;
  if (await mayReadAccount(now, pace?.readAt ?? null, askAgainMilliseconds)) {
    const account = await readSendingAccount();
    await putAccountRate(account, now);
    return { factor: 1, until: 0, ...pace, account, readAt: now };
  }
  if (pace) return pace;
  await wait(250);
  return currentPace(Date.now());
}

/** Recipients a second that campaigns have at the moment. */
const rateOf = ({ account, factor }: Pace): number => campaignRate(account.perSecond) * factor;

/** How many of those who wait go into one call at this pace, and into what is left of the day. */
export const sizeOfCall = (pace: Pace, waiting: number): number =>
  Math.max(1, Math.min(callSize(rateOf(pace), waiting), leftOfDay(pace.account)));

export const place = (pace: Pace, count: number, now: number): Promise<Place> => takePlace(pace, count, now);

/** Calls that were under way together are throttled together: they slow down once. */
const throttledMilliseconds = 1000;
const quietMilliseconds = 5000;

/** The provider had enough for now: everybody goes half as fast. */
export async function slowDown(pace: Pace, now: number): Promise<void> {
  const factor = slowed(pace.factor);
  const isSlower = await putFactor(pace.factor, factor, { now, quietMilliseconds: throttledMilliseconds });
  if (isSlower) logger.warn('The provider throttles: campaigns go slower.', { factor });
}

/** A call without a throttled entry, and nothing changed for a while: a step back towards the full rate. */
export async function speedUp(pace: Pace, now: number): Promise<void> {
  if (pace.factor < 1) await putFactor(pace.factor, recovered(pace.factor), { now, quietMilliseconds });
}
