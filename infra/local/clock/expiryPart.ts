import type { ClockedPart } from './due.ts';

const dayMilliseconds = 86_400_000;

/**
 * What deletes when its time is over: once a day of the clock, and where it stops. Every read checks the time itself, so
 * that nothing depends on the moment.
 */
export function expiryPart(expire: () => Promise<unknown>, now: () => number): ClockedPart {
  let lastAt = now();
  const nextAt = () => lastAt + dayMilliseconds;
  return {
    pending: async () => ({ busy: [], due: [{ at: nextAt(), kind: 'expiry' }], done: {} }),
    look: async (isEnd) => {
      if (!isEnd && nextAt() > now()) return;
      lastAt = now();
      await expire();
    },
  };
}
