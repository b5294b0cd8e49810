import { startTestTable } from '../testTable.ts';

let stop: () => Promise<void>;
let pace: typeof import('../../../../shared/store/campaign/pace.ts');
const now = 1_800_000_000_000;

beforeAll(async () => {
  ({ stop } = await startTestTable());
  pace = await import('../../../../shared/store/campaign/pace.ts');
});
afterAll(() => stop());

/** The pace as it was read, `until` a moment; so that its share is `perSecond` messages a second. */
async function standing(perSecond: number) {
  await pace.putAccountRate({ perSecond: perSecond / 0.9, perDay: null, sentInDay: 0 }, now);
  const found = await pace.getPace();
  if (!found) throw new Error('There is no pace.');
  return found;
}

describe('a place in the pace', () => {
  it('is given to each of many who ask at once and from the same reading, one after the other', async () => {
    const seen = await standing(1000);
    const places = await Promise.all(Array.from({ length: 20 }, () => pace.takePaceSlot(seen, 50, now)));
    const starts = places.map((place) => (place.kind === 'taken' ? place.startsAt : Number.NaN)).sort((a, b) => a - b);
    expect(starts).toEqual(Array.from({ length: 20 }, (_, index) => now + index * 50));
  });

  it('is at most two seconds ahead; a caller without one learns how long to wait', async () => {
    const seen = await standing(1000);
    const later = now + 60_000;
    const places = await Promise.all(Array.from({ length: 60 }, () => pace.takePaceSlot(seen, 50, later)));
    const taken = places.flatMap((place) => (place.kind === 'taken' ? [place.startsAt] : []));
    expect(Math.max(...taken)).toBeLessThanOrEqual(later + 2000);
    expect(taken).toHaveLength(41);
    expect(places.find(({ kind }) => kind === 'late')).toEqual({ kind: 'late', waitMilliseconds: 1050 });
  });

  it('begins at once when nobody has sent for a while, whatever an old reading says', async () => {
    const seen = await standing(1000);
    const later = now + 120_000;
    const place = await pace.takePaceSlot({ ...seen, until: later + 500 }, 50, later);
    expect(place).toEqual({ kind: 'taken', startsAt: later });
  });

  it('is counted in the day, and not given when the day has no room', async () => {
    await pace.putAccountRate({ perSecond: 100, perDay: 200, sentInDay: 100 }, now);
    const seen = await pace.getPace();
    if (!seen) throw new Error('There is no pace.');
    await pace.takePaceSlot(seen, 50, now + 180_000);
    const again = await pace.getPace();
    expect(again?.account.sentInDay).toBe(150);
    expect(again && (await pace.takePaceSlot(again, 50, now + 180_000))).toEqual({ kind: 'day' });
  });

  it('is given to the last message of the day that campaigns may send, and to none after it', async () => {
    // Nine tenths of 200 are 180.
    await pace.putAccountRate({ perSecond: 100, perDay: 200, sentInDay: 130 }, now);
    const seen = await pace.getPace();
    expect(seen && (await pace.takePaceSlot(seen, 50, now + 240_000))).toMatchObject({ kind: 'taken' });
    const full = await pace.getPace();
    expect(full && (await pace.takePaceSlot(full, 1, now + 240_000))).toEqual({ kind: 'day' });
  });
});

describe('the factor of the pace', () => {
  const quietMilliseconds = 1000;

  it('is changed by one of two workers that read the same one, and at most once in a quiet interval', async () => {
    await standing(1000);
    const factorNow = async () => (await pace.getPace())?.factor;
    const later = (milliseconds: number) => ({ now: now + 300_000 + milliseconds, quietMilliseconds });
    expect(await pace.putFactor(1, 0.5, later(0))).toBe(true);
    expect(await pace.putFactor(1, 0.25, later(5000))).toBe(false);
    expect(await pace.putFactor(0.5, 0.25, later(1000))).toBe(false);
    expect(await factorNow()).toBe(0.5);
    expect(await pace.putFactor(0.5, 0.25, later(1001))).toBe(true);
    expect(await factorNow()).toBe(0.25);
  });
});

describe('a slot in the backlog of single emails', () => {
  // 95 % of 20 a second: 100 recipients take 5,264 milliseconds.
  const duration = Math.ceil(100_000 / 19);

  it('is given to each of many who ask at once, one after the other, whatever they know', async () => {
    const start = now + 300_000;
    const asked = [0, start - 1, start + 1000, start + 900_000, 0, 0];
    const slots = await Promise.all(asked.map((seen) => pace.takeBacklogSlot(20, 100, start, seen)));
    const starts = slots.map((slot) => (slot.kind === 'taken' ? slot.startsAt : Number.NaN)).sort((a, b) => a - b);
    expect(starts).toEqual(asked.map((_, index) => start + index * duration));
  });

  it('begins at once when nothing waits any more', async () => {
    const start = now + 600_000;
    expect(await pace.takeBacklogSlot(20, 1, start, 0)).toEqual({ kind: 'taken', startsAt: start, until: start + 53 });
  });

  it('is at most ten minutes ahead; a caller without one learns by how much there is too much', async () => {
    const start = now + 1_200_000;
    const first = await pace.takeBacklogSlot(1, 570, start, 0);
    expect(first).toEqual({ kind: 'taken', startsAt: start, until: start + 600_000 });
    const last = await pace.takeBacklogSlot(1, 19, start, 0);
    expect(last).toEqual({ kind: 'taken', startsAt: start + 600_000, until: start + 620_000 });
    const none = { kind: 'full', excessMilliseconds: 20_000, until: start + 620_000 };
    expect(await pace.takeBacklogSlot(1, 1, start, 0)).toEqual(none);
    expect(await pace.takeBacklogSlot(1, 1, start, start + 620_000)).toEqual(none);
    expect(await pace.takeBacklogSlot(1, 1, start + 20_000, 0)).toMatchObject({ kind: 'taken' });
  });

  it('goes before every campaign, which looks again within ten seconds', async () => {
    const start = now + 3_600_000;
    const seen = await standing(1000);
    const slot = await pace.takeBacklogSlot(20, 100, start, 0);
    expect(await pace.takePaceSlot(seen, 50, start)).toEqual({ kind: 'late', waitMilliseconds: duration });
    await pace.takeBacklogSlot(20, 1000, start, 0);
    expect(await pace.takePaceSlot(seen, 50, start)).toEqual({ kind: 'late', waitMilliseconds: 10_000 });
    const end = slot.until + 10 * duration + 1;
    expect(await pace.takePaceSlot(seen, 50, end)).toEqual({ kind: 'taken', startsAt: end });
  });
});
