import { nowMilliseconds } from './clock.ts';
import { endingWithDeadline } from './deadline.ts';

/**
 * Runs `work` for each item, at most `limit` at a time; returns the results in order. After a failure nothing new is
 * started; it is thrown once all running work has ended.
 */
export async function inParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const failures: unknown[] = [];
  const open = items.entries();
  const worker = async () => {
    for (const [index, item] of open) {
      try {
        results[index] = await work(item);
      } catch (failure) {
        failures.push(failure);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Runs `work` for each item, at most `limit` at a time. A failure does not stop the others: `failed` is called with it
 * and its item. Returns the results of the others.
 */
export async function eachApart<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  failed: (error: unknown, item: Item) => void,
): Promise<Result[]> {
  const results = await inParallel(limit, items, async (item) => {
    try {
      return { value: await work(item) };
    } catch (error) {
      failed(error, item);
      return null;
    }
  });
  return results.filter((result) => result !== null).map(({ value }) => value);
}

/**
 * The values of several streams as they arrive. All are read concurrently, each one step ahead. Throws the first
 * failure.
 */
export async function* merged<T>(streams: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const open = streams.map((stream) => stream[Symbol.asyncIterator]());
  const stepOf = async (iterator: AsyncIterator<T>) => ({ iterator, result: await iterator.next() });
  const step = (iterator: AsyncIterator<T>) => {
    const next = stepOf(iterator);
    // A failure while the reader handles an earlier value is thrown at its next request.
    next.catch(() => {});
    return next;
  };
  const steps = new Map(open.map((iterator) => [iterator, step(iterator)]));
  try {
    while (steps.size > 0) {
      const { iterator, result } = await Promise.race(steps.values());
      // Removed first and added again at the end, so that a stream that is always ready does not keep the others
      // waiting.
      steps.delete(iterator);
      if (result.done) continue;
      steps.set(iterator, step(iterator));
      yield result.value;
    }
  } finally {
    for (const iterator of steps.keys()) void iterator.return?.().catch(() => {});
  }
}

/** Lets at most `limit` pieces of work be under way; the others wait in their order, each no longer than its deadline. */
export function gateOf(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let free = limit;
  const leave = () => {
    const [next] = waiting;
    if (next) waiting.delete(next);
    if (next) next();
    else free += 1;
  };
  const enter = async () => {
    if (free > 0) {
      free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    waiting.add(turn.resolve);
    try {
      await endingWithDeadline(turn.promise);
    } catch (error) {
      if (!waiting.delete(turn.resolve)) leave();
      throw error;
    }
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/**
 * Calls `ask` at most once within this time, for all callers together. A failure is not cached. For values that may be
 * a little old, never for permissions.
 */
export function remembered<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { readonly until: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    if (known && nowMilliseconds() < known.until) return known.answer;
    const fresh = { until: nowMilliseconds() + milliseconds, answer: ask() };
    known = fresh;
    fresh.answer.catch(() => {
      if (known === fresh) known = undefined;
    });
    return fresh.answer;
  };
}
