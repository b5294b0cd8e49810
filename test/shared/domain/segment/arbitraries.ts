import fc from 'fast-check';
import type { SegmentPerson, SegmentRule } from '../../../../shared/domain/segment/segment.ts';

const leaf = fc.oneof(
  fc.record({ tag: fc.constantFrom('a', 'b', 'c') }),
  fc.record({
    field: fc.constantFrom('x', 'y'),
    operator: fc.constantFrom('equals' as const, 'not_equals' as const),
    value: fc.oneof(fc.constantFrom('1', 'ab'), fc.integer({ min: 0, max: 3 }), fc.boolean()),
  }),
  fc.record({
    field: fc.constantFrom('x', 'y'),
    operator: fc.constantFrom('greater_than' as const, 'less_than' as const),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    name: fc.constantFrom('firstName' as const, 'lastName' as const),
    operator: fc.constant('exists' as const),
  }),
  fc.record({
    date: fc.constantFrom('created_at' as const, 'confirmed_at' as const),
    operator: fc.constantFrom('before' as const, 'after' as const),
    value: fc.constantFrom('2026-11-20', '2026-11-22T00:00:00Z'),
  }),
  fc.record({ event: fc.constantFrom('e', 'f'), operator: fc.constant('exists' as const) }),
  fc.record({
    event: fc.constantFrom('e', 'f'),
    operator: fc.constantFrom('count_at_least' as const, 'within_last_days' as const),
    value: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ mail: fc.constantFrom('opened' as const, 'clicked' as const), operator: fc.constant('exists' as const) }),
  fc.record({
    mail: fc.constantFrom('sent' as const, 'opened' as const),
    operator: fc.constant('within_last_days' as const),
    value: fc.integer({ min: 1, max: 3 }),
  }),
);
export const { rule: anyRule } = fc.letrec<{ rule: SegmentRule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf as fc.Arbitrary<SegmentRule>,
    fc.record({ all: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('rule') }),
  ),
}));
const moment = fc.constantFrom('2026-11-19T00:00:00.000Z', '2026-11-21T00:00:00.000Z', '2026-11-23T00:00:00.000Z');
export const anyPerson: fc.Arbitrary<SegmentPerson> = fc.record({
  firstName: fc.option(fc.constantFrom('Ada', 'Bob')),
  lastName: fc.option(fc.constantFrom('Ada', 'Bob')),
  tags: fc.subarray(['a', 'b', 'c']),
  fields: fc.dictionary(
    fc.constantFrom('x', 'y'),
    fc.oneof(fc.constantFrom('1', 'ab'), fc.integer({ min: 0, max: 3 }), fc.boolean()),
  ),
  createdAt: moment,
  confirmedAt: fc.option(moment),
  activities: fc
    .dictionary(
      fc.constantFrom('e', 'f', 'email.sent', 'email.opened', 'email.clicked'),
      fc.record({
        count: fc.integer({ min: 1, max: 4 }),
        last: moment,
        // One that has expired is still stored.
        expiresAt: fc.constantFrom(1_700_000_000, 1_900_000_000),
      }),
    )
    .map((activities) => new Map(Object.entries(activities))),
});
