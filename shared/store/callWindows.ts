import { type Key, rateWindowKey, signUpWindowKey } from './table/keys.ts';
import { upsertItem } from './table/write.ts';

/** Calls in a fixed window of time. */
interface WindowRecord {
  readonly calls: number;
  /** Unix seconds. */
  readonly expires_at: number;
}

/** Counts one call and returns the new count. */
async function count(key: Key, expiresAt: number): Promise<number> {
  const item = await upsertItem<WindowRecord>(key, { add: { calls: 1 }, set: { expires_at: expiresAt } });
  return Number(item?.calls ?? 1);
}

const minuteSeconds = 60;

/** A window of a fixed minute: its number of calls, and its end (Unix seconds). */
export interface RateWindow {
  readonly count: number;
  readonly resetsAt: number;
}

/** The minute (since the epoch) of the window. */
export const windowAt = (now: Date): number => Math.floor(now.getTime() / 1000 / minuteSeconds);

/** The start of a minute's window. */
export const startOf = (minute: number): Date => new Date(minute * minuteSeconds * 1000);

export const rateWindow = (minute: number, count: number): RateWindow => ({
  count,
  resetsAt: (minute + 1) * minuteSeconds,
});

/**
 * Counts one call of a source (`source#<address>`) in the current minute; calls with an API key are counted in the
 * key's item.
 */
export async function countCall(source: string, now: Date): Promise<RateWindow> {
  const minute = windowAt(now);
  return rateWindow(minute, await count(rateWindowKey(source, minute), (minute + 2) * minuteSeconds));
}

/** Counts one sign-up of a subject (an address or a network source, in a workspace) in the current window. */
export async function countSignUp(
  subject: string,
  windowSeconds: number,
  now: Date,
): Promise<{ readonly count: number; readonly endsAt: number }> {
  const window = Math.floor(now.getTime() / 1000 / windowSeconds);
  const endsAt = (window + 1) * windowSeconds;
  return { count: await count(signUpWindowKey(subject, window), endsAt), endsAt };
}
