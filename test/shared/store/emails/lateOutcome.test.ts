import { mergedItems, mergedOutcome } from '../../../../shared/store/emails/lateOutcome.ts';

const key = { pk: 'p', sk: 'RECIPIENT#ada@example.net', email: 'ada@example.net' };
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;
const delivered = { ...key, status: 'delivered', rank: 1, updated_at: at(1), delivered_at: at(1), expires_at: 5 };

describe('an outcome that is copied and reported again', () => {
  it('is the one there is, where there is one', () => {
    expect(mergedOutcome(delivered, undefined)).toBe(delivered);
    expect(mergedOutcome(undefined, delivered)).toBe(delivered);
  });

  it('is the later one where that goes on from the copied one', () => {
    const opened = { ...delivered, opens: new Set([`${at(2)}#`]) };
    const later = { ...opened, status: 'complained', rank: 3, updated_at: at(9), complained_at: at(9), story_more: 2 };
    expect(mergedOutcome({ ...opened, story_more: 2 }, later)).toBe(later);
  });

  it('has the higher status, the first time of each, and all events, where the later one began anew', () => {
    const copied = { ...delivered, opens: new Set([`${at(2)}#`]), story_more: 1 };
    const later = {
      ...key,
      status: 'complained',
      rank: 3,
      updated_at: at(9),
      complained_at: at(9),
      delivered_at: at(8),
    };
    const events = {
      opens: new Set([`${at(2)}#`, `${at(7)}#proxied`]),
      clicks: new Set([`${at(7)}#https://a.example/`]),
    };
    expect(mergedOutcome(copied, { ...later, ...events })).toEqual({
      ...{ ...key, status: 'complained', rank: 3, updated_at: at(9), delivered_at: at(1), complained_at: at(9) },
      ...{ ...events, story_more: 1, expires_at: 5 },
    });
    expect(mergedOutcome(copied, { ...later, status: 'sent', rank: 0 })).toMatchObject({
      status: 'delivered',
      rank: 1,
    });
  });

  it('shows ten events of a kind, and counts the others', () => {
    const opens = (from: number, count: number) =>
      new Set(Array.from({ length: count }, (_, index) => `${at(from + index)}#`));
    const later = { ...key, status: 'sent', rank: 0, updated_at: at(20), opens: opens(14, 8), story_more: 3 };
    const merged = mergedOutcome({ ...delivered, opens: opens(1, 8) }, later);
    expect((merged.opens as Set<string>).size).toBe(10);
    expect(merged.story_more).toBe(3 + 6);
  });
});

describe('the items of an email', () => {
  it('are its own of the table if that is there, and the outcomes of both', () => {
    const [own, stored] = [
      { pk: 'p', sk: 'EMAIL', subject: 'copied' },
      { pk: 'p', sk: 'EMAIL', subject: 'stored' },
    ];
    const other = { ...delivered, sk: 'RECIPIENT#bob@example.net' };
    expect(mergedItems([own, delivered], [other])).toEqual([own, delivered, other]);
    expect(mergedItems([own, delivered], [stored])).toEqual([stored, delivered]);
  });
});
