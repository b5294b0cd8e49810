import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { stopwatch } from './clock.ts';

/** The deadline of the work has passed: no further AWS request is made for it. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor(options?: ErrorOptions) {
    super('The time of this call is over.', options);
  }
}

export interface Deadline {
  /** Aborted at the deadline; undefined without a deadline. */
  readonly signal: AbortSignal | undefined;
  remainingMilliseconds(): number;
}

const endless: Deadline = { signal: undefined, remainingMilliseconds: () => Infinity };

const current = new AsyncLocalStorage<Deadline>();

/**
 * Runs work with a deadline, at most that of the surrounding work. Every AWS call in it, at any depth, ends at the
 * deadline, and none begins later, even in a container that was frozen and resumes.
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

const toBegin = new AsyncLocalStorage<() => number>();

/** A request did not begin in time, and will not begin any more. */
export class BegunTooLate extends Error {
  override readonly name = 'BegunTooLate';

  constructor() {
    super('What the request rests on is too old.');
  }
}

/**
 * Runs work whose requests must begin within this time: a request that is still waiting for a connection, or a process
 * that was frozen, fails before anything is sent.
 */
export function beginningWithin<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const elapsed = stopwatch();
  return toBegin.run(() => milliseconds - elapsed(), work);
}

/** For a request made now: how long it may wait before it begins. */
export const patienceToBegin = (): (() => number) => toBegin.getStore() ?? (() => Infinity);

/**
 * The longest time for an answer: API Gateway gives up after 29 seconds, two of which are reserved for start and
 * response.
 */
export const gatewayMilliseconds = 27_000;

/** Time reserved to log a timeout before Lambda ends the invocation without a log line. */
const lastWordsMilliseconds = 1000;

/** Runs the work of an invocation within the time that Lambda allows, or less if the caller has a shorter limit. */
export const withinInvocation = <T>(
  invocation: { getRemainingTimeInMillis(): number },
  work: () => Promise<T>,
  patienceMilliseconds = Infinity,
): Promise<T> =>
  withDeadline(Math.min(invocation.getRemainingTimeInMillis() - lastWordsMilliseconds, patienceMilliseconds), work);

/** The deadline of the current work. */
export const currentDeadline = (): Deadline => current.getStore() ?? endless;

/** Runs work that several callers share, under the latest of their deadlines. */
export const underDeadline = <T>(deadline: Deadline, work: () => Promise<T>): Promise<T> => current.run(deadline, work);

export const remainingMilliseconds = (): number => currentDeadline().remainingMilliseconds();

/** The result of the work, or `DeadlineExceeded` if the deadline comes first. */
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

/** Waits, or throws `DeadlineExceeded` if the deadline comes first. */
export async function pause(milliseconds: number): Promise<void> {
  const { signal } = currentDeadline();
  await wait(milliseconds, undefined, signal && { signal }).catch(() => {
    throw signal?.reason;
  });
}

/** Returned by an attempt that conflicted with another writer: nothing was written, and it may be repeated. */
export const overtaken = Symbol('overtaken');

/** A write conflicted with other writers for longer than a caller should wait. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

const firstWaitMilliseconds = 20;
const longestWaitMilliseconds = 400;
const patienceMilliseconds = 8000;

/**
 * Repeats an attempt until it no longer conflicts: the one policy for conflicting writes. Each pause is a random part
 * of 20 ms doubling up to 400 ms ("full jitter", AWS Architecture Blog, "Exponential Backoff And Jitter"). Throws
 * `ContentionError` after the given time or at the deadline. Fifty writers of one item finish within one second;
 * DynamoDB ends a stuck transaction after five.
 */
export async function untilSettled<T>(
  attempt: () => Promise<T | typeof overtaken>,
  milliseconds = patienceMilliseconds,
): Promise<T> {
  const end = performance.now() + Math.min(milliseconds, remainingMilliseconds());
  for (let longest = firstWaitMilliseconds; ; longest = Math.min(longest * 2, longestWaitMilliseconds)) {
    const result = await attempt();
    if (result !== overtaken) return result;
    if (performance.now() > end) throw new ContentionError('A write met other writers until its time was over.');
    await wait(longest * Math.random());
  }
}
