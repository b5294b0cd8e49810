import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { stopwatch } from './clock.ts';

/** The time of a call is over: nothing is asked of AWS any more on its behalf. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor(options?: ErrorOptions) {
    super('The time of this call is over.', options);
  }
}

export interface Deadline {
  /** Aborted when the time is over; undefined when it is endless. */
  readonly signal: AbortSignal | undefined;
  remainingMilliseconds(): number;
}

const endless: Deadline = { signal: undefined, remainingMilliseconds: () => Infinity };

const current = new AsyncLocalStorage<Deadline>();

/**
 * Runs work that has so long, and no longer than the work around it has. Every call of AWS that it makes, at whatever
 * depth, ends with its time, and none begins after it: not even in a container that was frozen meanwhile and resumes.
 */
export async function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const limit = Math.min(milliseconds, remainingMilliseconds());
  const elapsed = stopwatch();
  const controller = new AbortController();
  const expire = () => controller.abort(new DeadlineExceeded());
  const timer = Number.isFinite(limit) ? setTimeout(expire, Math.max(0, limit)) : undefined;
  try {
    return await current.run({ signal: controller.signal, remainingMilliseconds: () => limit - elapsed() }, work);
  } finally {
    clearTimeout(timer);
  }
}

/** How long an answer may take: API Gateway gives up after 29 seconds, two of which are for starting and answering. */
export const gatewayMilliseconds = 27_000;

/** What an invocation keeps to say that its time is over, before Lambda ends it without a word. */
const lastWordsMilliseconds = 1000;

/** Runs the work of an invocation within the time that Lambda leaves it, or less if its caller leaves sooner. */
export const withinInvocation = <T>(
  invocation: { getRemainingTimeInMillis(): number },
  work: () => Promise<T>,
  patienceMilliseconds = Infinity,
): Promise<T> =>
  withDeadline(Math.min(invocation.getRemainingTimeInMillis() - lastWordsMilliseconds, patienceMilliseconds), work);

/** The deadline of the work under way. */
export const currentDeadline = (): Deadline => current.getStore() ?? endless;

/** Runs work that is shared under the deadline of whoever leaves it the most time. */
export const underDeadline = <T>(deadline: Deadline, work: () => Promise<T>): Promise<T> => current.run(deadline, work);

export const remainingMilliseconds = (): number => currentDeadline().remainingMilliseconds();

/** What is waited for, or `DeadlineExceeded` when that takes too long. */
export function endingWithDeadline<T>(work: Promise<T>): Promise<T> {
  const { signal } = currentDeadline();
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Waits so long, or throws `DeadlineExceeded` when the time of the work is over before. */
export async function pause(milliseconds: number): Promise<void> {
  const { signal } = currentDeadline();
  await wait(milliseconds, undefined, signal && { signal }).catch(() => {
    throw signal?.reason;
  });
}
