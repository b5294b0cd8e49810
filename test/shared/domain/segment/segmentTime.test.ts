import type { EventActivities, SegmentPerson, SegmentRule } from '../../../../shared/domain/segment/segment.ts';
import { nextTurn } from '../../../../shared/domain/segment/segmentTime.ts';

const now = new Date('2026-11-20T10:00:00Z');
const dayMilliseconds = 86_400_000;
const daysFrom = (days: number, more = 0): string =>
  new Date(now.getTime() + days * dayMilliseconds + more).toISOString();

const activities = (lastDays: number, keptDays = 90): EventActivities =>
  new Map([
    ['login', { count: 3, last: daysFrom(lastDays), expiresAt: (now.getTime() + keptDays * dayMilliseconds) / 1000 }],
  ]);
const person = (more: Partial<SegmentPerson> = {}): SegmentPerson => ({
  ...{ firstName: null, lastName: null, tags: [], fields: {}, createdAt: daysFrom(-3), confirmedAt: null },
  ...{ activities: new Map(), ...more },
});
const recent = (value: number): SegmentRule => ({ event: 'login', operator: 'within_last_days', value });
const young: SegmentRule = { date: 'created_at', operator: 'within_last_days', value: 7 };

describe('the next moment at which time alone changes who passes a rule', () => {
  it.each<[string, SegmentRule, SegmentPerson, string | null]>([
    ['a tag', { tag: 'vip' }, person(), null],
    ['a fixed date', { date: 'created_at', operator: 'before', value: '2027-01-01' }, person(), null],
    ['the last millisecond of the days still matches', young, person(), daysFrom(4, 1)],
    ['a date that is missing', { date: 'confirmed_at', operator: 'within_last_days', value: 7 }, person(), null],
    ['an event', recent(30), person({ activities: activities(-10) }), daysFrom(20, 1)],
    ['its negation', { not: recent(30) }, person({ activities: activities(-10) }), daysFrom(20, 1)],
    ['an event that is over', recent(30), person({ activities: activities(-40) }), null],
    [
      'the end of its retention',
      { event: 'login', operator: 'exists' },
      person({ activities: activities(-10, 50) }),
      daysFrom(50),
    ],
    ['an event that they never had', recent(30), person(), null],
    // The first moment changes a condition and not the whole.
    ['any', { any: [young, recent(30)] }, person({ activities: activities(-10) }), daysFrom(20, 1)],
    ['all', { all: [young, recent(30)] }, person({ activities: activities(-10) }), daysFrom(4, 1)],
    ['one that decides nothing', { all: [young, { tag: 'vip' }] }, person(), null],
  ])('%s', (_, rule, who, expected) => {
    expect(nextTurn(rule, who, now)?.toISOString() ?? null).toBe(expected);
  });
});
