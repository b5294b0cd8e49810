import {
  doubledPositions,
  isDone,
  lostAttempts,
  messageMarker,
  openPositions,
  type Slice,
} from '../../../../shared/domain/campaign/slice.ts';

const at = new Date('2026-11-21T12:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const slice = (over: Partial<Slice> = {}): Slice => ({
  version: 1,
  day: null,
  sets: {},
  attempts: [],
  provenAttempts: new Set(),
  messageMarkers: new Set(),
  ...over,
});
const attempt = (positions: number[]) => ({ id: 'a', positions: new Set(positions), deadline: at });

describe('a slice while it is being sent', () => {
  it('is open at positions without an outcome and without an attempt', () => {
    const sets = {
      accepted: new Set([0]),
      failed: new Set([1]),
      'skip.unsubscribed': new Set([2]),
      uncertain: new Set([3]),
      'retry.1': new Set([6]),
    } as const;
    expect(openPositions(slice({ sets, attempts: [attempt([4, 5])] }), 8)).toEqual([6, 7]);
  });

  it('is done only when everybody has an outcome and no attempt is open', () => {
    const accepted = new Set([0, 1, 2]);
    expect(isDone(slice({ sets: { accepted } }), 3)).toBe(true);
    expect(isDone(slice({ sets: { accepted } }), 4)).toBe(false);
    expect(isDone(slice({ sets: { accepted }, attempts: [attempt([2])] }), 3)).toBe(false);
    expect(isDone(slice({ sets: { accepted, uncertain: new Set([3]) } }), 4)).toBe(true);
  });

  it('takes an attempt for lost only when its process can no longer be running', () => {
    const one = slice({ attempts: [attempt([0])] });
    expect(lostAttempts(one, later(29))).toEqual([]);
    expect(lostAttempts(one, later(30))).toEqual(one.attempts);
  });
});

const messageMarkers = (...named: [position: number, messageId: string][]) =>
  new Set(named.map(([position, id]) => messageMarker(position, id)));

describe('positions with two messages', () => {
  it('are none while each has one message, however often it is reported', () => {
    expect(doubledPositions(messageMarkers([0, 'a'], [1, 'b']), messageMarkers([0, 'a'], [49, 'c']))).toEqual([]);
    expect(doubledPositions(new Set(), new Set())).toEqual([]);
  });

  it('are those with a second message, in the same report or later', () => {
    expect(doubledPositions(messageMarkers([0, 'a'], [1, 'b']), messageMarkers([1, 'c'], [0, 'd']))).toEqual([0, 1]);
    expect(doubledPositions(new Set(), messageMarkers([7, 'a'], [7, 'b']))).toEqual([7]);
  });

  it('are found again by each later report, since the first process may have crashed before its alarm', () => {
    expect(doubledPositions(messageMarkers([3, 'a'], [3, 'b'], [4, 'c']), messageMarkers([3, 'b'], [4, 'c']))).toEqual([
      3,
    ]);
  });

  it('has markers of four digits at most', () => {
    for (const id of ['a', 'b', '0100018f-0000']) expect(messageMarker(49, id)).toBeLessThan(10_000);
  });
});
