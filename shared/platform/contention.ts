import { setTimeout as wait } from 'node:timers/promises';
import { remainingMilliseconds } from './deadline.ts';

/** What an attempt answers when another writer was faster or is in the way: nothing was written, and it may be made again. */
export const overtaken = Symbol('overtaken');

/** A write met others for longer than anybody should wait for it. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

const firstWaitMilliseconds = 20;
const longestWaitMilliseconds = 400;
const patienceMilliseconds = 8000;

/**
 * Makes an attempt until it is not overtaken any more: the one policy for writes that meet other writers. Each wait is
 * a random part of 20 ms that double up to 400 ms ("full jitter", AWS Architecture Blog, "Exponential Backoff And
 * Jitter"), so that those who met once part ways. Throws `ContentionError` after eight seconds, or when the deadline
 * of the work comes first: fifty writers of one item are through in one, DynamoDB finishes a transaction that hangs
 * after five.
 */
export async function untilSettled<T>(attempt: () => Promise<T | typeof overtaken>): Promise<T> {
  const end = performance.now() + Math.min(patienceMilliseconds, remainingMilliseconds());
  for (let longest = firstWaitMilliseconds; ; longest = Math.min(longest * 2, longestWaitMilliseconds)) {
    const result = await attempt();
    if (result !== overtaken) return result;
    if (performance.now() > end) throw new ContentionError('A write met other writers until its time was over.');
    await wait(longest * Math.random());
  }
}
