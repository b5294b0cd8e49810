import { withDeadline } from '../../../shared/platform/deadline.ts';
import { eachApart, gateOf, inParallel, merged } from '../../../shared/platform/parallel.ts';

/** Gives these, and says how far it was read and whether it was ended. */
function stream<T>(values: readonly T[], failure?: Error) {
  const state = { read: 0, ended: false };
  const generator = (async function* () {
    try {
      for (const value of values) {
        state.read += 1;
        yield value;
      }
      if (failure) throw failure;
    } finally {
      state.ended = true;
    }
  })();
  return { generator, state };
}

async function collected<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('merged', () => {
  it('gives all of all streams, those of one in their order', async () => {
    const all = await collected(
      merged([stream([1, 2, 3]), stream([]), stream([11, 12])].map(({ generator }) => generator)),
    );
    expect(all.filter((value) => value < 10)).toEqual([1, 2, 3]);
    expect(all.filter((value) => value > 10)).toEqual([11, 12]);
    expect(all).toHaveLength(5);
    expect(await collected(merged([]))).toEqual([]);
  });

  it('does not wait for a slow stream', async () => {
    const never = (async function* () {
      yield await new Promise<number>(() => {});
    })();
    const all = merged([never, stream([1, 2]).generator]);
    expect((await all.next()).value).toBe(1);
    expect((await all.next()).value).toBe(2);
  });

  it('reads each stream one step ahead and no further', async () => {
    const streams = Array.from({ length: 4 }, () => stream([1, 2, 3, 4, 5]));
    const all = merged(streams.map(({ generator }) => generator));
    await all.next();
    await new Promise(setImmediate);
    expect(streams.reduce((sum, { state }) => sum + state.read, 0)).toBe(5);
  });

  it('throws what a stream throws, and ends the others', async () => {
    const [broken, other] = [stream([1], new Error('broken')), stream(Array(100).fill(2))];
    await expect(collected(merged([other.generator, broken.generator]))).rejects.toThrow('broken');
    await new Promise(setImmediate);
    expect(other.state.ended).toBe(true);
    expect(other.state.read).toBeLessThan(100);
  });

  it('throws what fails while the reader is at the step before when it asks for the next, and not before', async () => {
    const seen: number[] = [];
    const reading = async () => {
      for await (const value of merged([stream([1], new Error('broken')).generator])) {
        seen.push(value);
        // Long enough for a rejection that nobody has taken to end the process.
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.push(value + 1);
      }
    };
    await expect(reading()).rejects.toThrow('broken');
    expect(seen).toEqual([1, 2]);
  });

  it('ends the streams of a reader who has seen enough', async () => {
    const { generator, state } = stream([1, 2, 3]);
    for await (const _ of merged([generator])) break;
    await new Promise(setImmediate);
    expect(state.ended).toBe(true);
  });
});

describe('inParallel', () => {
  it('throws the first failure when nothing is under way any more, and begins nothing after it', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await new Promise((resolve) => setTimeout(resolve, item));
      ended.push(item);
      if (item === 1) throw new Error('no');
    };
    await expect(inParallel(2, [30, 1, 2, 3], work)).rejects.toThrow('no');
    expect(begun).toEqual([30, 1]);
    expect(ended).toEqual([1, 30]);
  });
});

describe('eachApart', () => {
  it('runs all of them and reports each failure with its item', async () => {
    const failed: [unknown, number][] = [];
    const results = await eachApart(
      2,
      [1, 2, 3, 4],
      async (item) => {
        if (item % 2 === 0) throw new Error(`no ${item}`);
        return item * 10;
      },
      (error, item) => failed.push([error, item]),
    );
    expect(results).toEqual([10, 30]);
    expect(failed).toEqual([
      [new Error('no 2'), 2],
      [new Error('no 4'), 4],
    ]);
  });
});

describe('a gate', () => {
  it('lets so many in at once, in their order, whatever fails', async () => {
    const gate = gateOf(3);
    let [under, most] = [0, 0];
    const order: number[] = [];
    const work = (index: number) => async () => {
      order.push(index);
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (index % 4 === 0) throw new Error('no');
      return index;
    };
    const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => gate(work(index))));
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(settled.map((_, index) => index % 4 !== 0));
    expect([most, order]).toEqual([3, settled.map((_, index) => index)]);
  });

  it('keeps nobody beyond its deadline, and the place of who gave up goes to the next', async () => {
    const gate = gateOf(1);
    const first = Promise.withResolvers<void>();
    const held = gate(() => first.promise);
    await expect(withDeadline(20, () => gate(async () => 'in'))).rejects.toThrow('The time of this call is over.');
    const next = gate(async () => 'in');
    first.resolve();
    await held;
    expect(await next).toBe('in');
    expect(await gate(async () => 'again')).toBe('again');
  });
});
