import { segmentPersonOf } from '../../../../../shared/store/person/internal/audienceRow.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('a row of the index', () => {
  const all = {
    properties: new Set(['firstName', 'lastName', 'tags', 'createdAt', 'confirmedAt'] as const),
    fields: new Set(['city']),
    events: new Set<string>(),
  };
  const row = { first_name: 'Ada', tags: ['vip'], fields: { city: 'London' }, created_at: now.toISOString() };

  it('is read without optional attributes', () => {
    expect(segmentPersonOf(row, all)).toEqual({
      firstName: 'Ada',
      lastName: null,
      tags: ['vip'],
      fields: { city: 'London' },
      createdAt: now.toISOString(),
      confirmedAt: null,
    });
    expect(segmentPersonOf({ created_at: now.toISOString() }, all)).toMatchObject({ tags: [], fields: {} });
  });

  it.each([
    { ...row, first_name: 7 },
    { ...row, last_name: ['Ada'] },
    { ...row, tags: 'vip' },
    { ...row, tags: [7] },
    { ...row, fields: 'London' },
    { ...row, fields: { city: ['London'] } },
    { ...row, created_at: undefined },
    { ...row, confirmed_at: 7 },
  ])('is refused when it is invalid: %j', (rubbish) => {
    expect(() => segmentPersonOf(rubbish, all)).toThrow('cannot be read');
  });
});
