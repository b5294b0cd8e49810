import { setTimeout as wait } from 'node:timers/promises';
import { readSendingAccount } from '../email/ses.ts';
import { nowMilliseconds } from '../platform/clock.ts';
import { getPace, mayReadAccount, type Pace, putAccountRate } from '../store/campaign/pace.ts';

/** The maximum age of the account's figures. Messages sent since are counted in the pace itself. */
const accountMilliseconds = 180_000;
const retryMilliseconds = 2000;

/**
 * The account's pace. When its figures are too old, one process reads them again while the others continue with the old
 * ones.
 */
export async function currentPace(
  now: number,
  seen?: Pace | null,
  oldestMilliseconds = accountMilliseconds,
): Promise<Pace> {
  const pace = seen ?? (await getPace());
  if (pace && now - pace.readAt < oldestMilliseconds) return pace;
  if (await mayReadAccount(now, pace?.readAt ?? null, retryMilliseconds)) {
    const account = await readSendingAccount();
    await putAccountRate(account, now);
    return { factor: 1, until: 0, ...pace, account, readAt: now };
  }
  if (pace) return pace;
  await wait(250);
  return currentPace(nowMilliseconds());
}
