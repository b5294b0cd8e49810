import { newSubscriber, withValues } from '../../../../shared/domain/person/person.ts';

const start = new Date('2026-11-21T10:00:00.000Z');
const later = new Date('2026-11-21T11:00:00.000Z');
const ada = withValues(
  newSubscriber('pending', start),
  { firstName: 'Ada', tags: ['a', 'b'], fields: { city: 'London', age: 36 } },
  start,
);

describe('withValues', () => {
  it('keeps absent values', () => {
    const { firstName, tags, fields } = withValues(ada, { lastName: 'Lovelace' }, later);
    expect({ firstName, tags, fields }).toEqual({
      firstName: 'Ada',
      tags: ['a', 'b'],
      fields: { city: 'London', age: 36 },
    });
  });

  it('replaces tags without duplicates, and merges fields; null deletes a field', () => {
    const changed = withValues(ada, { tags: ['c', 'c'], fields: { city: null, vip: true } }, later);
    expect([changed.tags, changed.fields]).toEqual([['c'], { age: 36, vip: true }]);
  });

  it('trims names, and removes them with null or spaces', () => {
    expect(withValues(ada, { firstName: null }, later).firstName).toBeNull();
    expect(withValues(ada, { firstName: '  ' }, later).firstName).toBeNull();
    expect(withValues(ada, { firstName: ' Ada B. ' }, later).firstName).toBe('Ada B.');
  });

  it('returns the same object when nothing changes', () => {
    expect(withValues(ada, { firstName: 'Ada', tags: ['a', 'b'], fields: { age: 36 } }, later)).toBe(ada);
    expect(withValues(ada, { fields: { unknown: null } }, later)).toBe(ada);
    expect(withValues(ada, { firstName: 'Eve' }, later).updatedAt).toBe(later.toISOString());
  });
});
