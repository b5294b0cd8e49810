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
    const places = await Promise.all(Array.from({ length: 20 }, () => pace.takePlace(seen, 50, now)));
    const starts = places.map((place) => (place.kind === 'taken' ? place.startsAt : Number.NaN)).sort((a, b) => a - b);
    expect(starts).toEqual(Array.from({ length: 20 }, (_, index) => now + index * 50));
  });

  it('lies two seconds ahead at most; whoever finds none is told how long to stay away', async () => {
    const seen = await standing(1000);
    const later = now + 60_000;
    const places = await Promise.all(Array.from({ length: 60 }, () => pace.takePlace(seen, 50, later)));
    const taken = places.flatMap((place) => (place.kind === 'taken' ? [place.startsAt] : []));
    expect(Math.max(...taken)).toBeLessThanOrEqual(later + 2000);
    expect(taken).toHaveLength(41);
    expect(places.find(({ kind }) => kind === 'late')).toEqual({ kind: 'late', waitMilliseconds: 1050 });
  });

  it('begins at once when nobody has sent for a while, whatever an old reading says', async () => {
    const seen = await standing(1000);
    const later = now + 120_000;
    const place = await pace.takePlace({ ...seen, until: later + 500 }, 50, later);
    expect(place).toEqual({ kind: 'taken', startsAt: later });
  });

  it('is counted in the day, and not given when the day has no room', async () => {
    await pace.putAccountRate({ perSecond: 100, perDay: 200, sentInDay: 100 }, now);
    const seen = await pace.getPace();
    if (!seen) throw new Error('There is no pace.');
    await pace.takePlace(seen, 50, now + 180_000);
    const again = await pace.getPace();
    expect(again?.account.sentInDay).toBe(150);
    expect(again && (await pace.takePlace(again, 50, now + 180_000))).toEqual({ kind: 'day' });
  });
});
