import { advance, NeverIdle } from '../../../../infra/local/clock/advance.ts';
import type { ClockedPart } from '../../../../infra/local/clock/due.ts';
import { parseDuration } from '../../../../infra/local/clock/duration.ts';

const start = Date.UTC(2026, 10, 24, 10);
const minute = 60_000;

/** A part that does what a list says, and may add to it. */
function partOf(
  due: { at: number; kind: string }[],
  does: (kind: string, at: number) => void = () => {},
): ClockedPart & { now: () => number } {
  let time = start;
  let done = 0;
  return {
    now: () => time,
    pending: async () => ({ busy: [], due: [...due], done: { work: done } }),
    look: async () => {
      for (const one of due.filter(({ at }) => at <= time)) {
        due.splice(due.indexOf(one), 1);
        done += 1;
        does(one.kind, time);
      }
    },
    ...{ moveTo: (to: number) => (time = Math.max(time, to)) },
  };
}

const options = (part: ReturnType<typeof partOf>) => ({
  parts: [part],
  now: part.now,
  moveTo: (part as unknown as { moveTo(to: number): void }).moveTo,
  signal: new AbortController().signal,
});

describe('advance', () => {
  it('does each thing at its own time, in order, and what follows from it too', async () => {
    const seen: [string, number][] = [];
    const due = [
      { at: start + 5 * minute, kind: 'second' },
      { at: start + minute, kind: 'first' },
      { at: start + 60 * minute, kind: 'too late' },
    ];
    const part = partOf(due, (kind, at) => {
      seen.push([kind, (at - start) / minute]);
      if (kind === 'first') due.push({ at: at + minute, kind: 'follows' });
    });
    const { hops, log } = await advance(start + 10 * minute, options(part));
    expect(seen).toEqual([
      ['first', 1],
      ['follows', 2],
      ['second', 5],
    ]);
    expect(part.now()).toBe(start + 10 * minute);
    expect([hops, log.length]).toEqual([4, 3]);
    expect(log[0]).toEqual({ at: '2026-11-24T10:01:00.000Z', due: { first: 1 }, done: { work: 1 } });
  });

  it('gathers what lies within a second', async () => {
    const part = partOf([1, 2, 3].map((count) => ({ at: start + minute + count, kind: 'one' })));
    const { log } = await advance(start + 2 * minute, options(part));
    expect(log).toEqual([{ at: '2026-11-24T10:01:01.000Z', due: { one: 3 }, done: { work: 3 } }]);
  });

  it('ends at something that is always due again, and names it', async () => {
    const due = [{ at: start + 1000, kind: 'a loop' }];
    const part = partOf(due, (kind, at) => due.push({ at: at + 1000, kind }));
    const advancing = advance(start + 30 * 24 * 60 * minute, { ...options(part), hopsAnHour: 100 });
    await expect(advancing).rejects.toThrow(NeverIdle);
    await expect(advancing).rejects.toThrow('a loop (101 times)');
  });

  it('ends at work that never ends, and names it', async () => {
    const part = partOf([]);
    const busy = { ...part, pending: async () => ({ busy: ['messages of job'], due: [], done: {} }) };
    const advancing = advance(start + minute, { ...options(part), parts: [busy], patienceMilliseconds: 20 });
    await expect(advancing).rejects.toThrow('messages of job');
  });

  it('ends with the service', async () => {
    const stopping = new AbortController();
    const part = partOf([{ at: start + minute, kind: 'one' }], () => stopping.abort());
    await expect(advance(start + 2 * minute, { ...options(part), signal: stopping.signal })).rejects.toThrow('aborted');
  });
});

describe('parseDuration', () => {
  it.each([
    ['3 days', 3 * 24 * 60 * minute],
    ['1 day', 24 * 60 * minute],
    ['90 seconds', 1.5 * minute],
    ['1.5 hours', 90 * minute],
    ['2weeks', 14 * 24 * 60 * minute],
    ['400 days', 400 * 24 * 60 * minute],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '3', 'days', '0 days', '-1 day', '3 months', '3 days 2 hours', 'P3D', '401 days', '1e3 days'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDuration(text)).toThrow();
    },
  );
});
