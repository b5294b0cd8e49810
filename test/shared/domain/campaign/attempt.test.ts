import { isDone, lostAttempts, openPositions, type Slice } from '../../../../shared/domain/campaign/attempt.ts';

const at = new Date('2026-11-21T12:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const slice = (over: Partial<Slice> = {}): Slice => ({
  turn: 1,
  sets: {},
  attempts: [],
  heard: new Set(),
  marks: new Set(),
  ...over,
});
const attempt = (positions: number[]) => ({ id: 'a', positions: new Set(positions), deadline: at });

describe('a slice on its way', () => {
  it('may be sent to where nothing is known and no call is at work', () => {
    const sets = {
      accepted: new Set([0]),
      failed: new Set([1]),
      'skip.unsubscribed': new Set([2]),
      uncertain: new Set([3]),
      'retry.1': new Set([6]),
    } as const;
    expect(openPositions(slice({ sets, attempts: [attempt([4, 5])] }), 8)).toEqual([6, 7]);
  });

  it('is done when everybody has an outcome and no call is open, not before', () => {
    const accepted = new Set([0, 1, 2]);
    expect(isDone(slice({ sets: { accepted } }), 3)).toBe(true);
    expect(isDone(slice({ sets: { accepted } }), 4)).toBe(false);
    expect(isDone(slice({ sets: { accepted }, attempts: [attempt([2])] }), 3)).toBe(false);
    expect(isDone(slice({ sets: { accepted, uncertain: new Set([3]) } }), 4)).toBe(true);
  });

  it('gives a call up for lost only when its worker can be at it no more', () => {
    const one = slice({ attempts: [attempt([0])] });
    expect(lostAttempts(one, later(29))).toEqual([]);
    expect(lostAttempts(one, later(30))).toEqual(one.attempts);
  });
});
