/**
 * Does `work` for each item, at most `limit` at a time; the results in the order of the items. Throws the first failure,
 * when nothing is under way any more: after it nothing new is begun.
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
 * Does `work` for each item, at most `limit` at a time. One that fails keeps no other from it: `failed` hears of each
 * with its item. Answers the results of the others.
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

/** What several streams give, in turn: all are read side by side, each by one step ahead. Throws the first failure. */
export async function* merged<T>(streams: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const open = streams.map((stream) => stream[Symbol.asyncIterator]());
  const stepOf = async (iterator: AsyncIterator<T>) => ({ iterator, result: await iterator.next() });
  const step = (iterator: AsyncIterator<T>) => {
    const next = stepOf(iterator);
    // What fails while the reader is at the step before is thrown when it asks for the next.
    next.catch(() => {});
    return next;
  };
  const steps = new Map(open.map((iterator) => [iterator, step(iterator)]));
  try {
    while (steps.size > 0) {
      const { iterator, result } = await Promise.race(steps.values());
      // Taken out first, to stand last in the next race: else one that is always ready would keep the others waiting.
      steps.delete(iterator);
      if (result.done) continue;
      steps.set(iterator, step(iterator));
      yield result.value;
    }
  } finally {
    for (const iterator of steps.keys()) void iterator.return?.().catch(() => {});
  }
}
