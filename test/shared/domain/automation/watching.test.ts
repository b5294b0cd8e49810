import {
  type DateFacts,
  findDate,
  findInSegment,
  type SegmentFacts,
  type UnseenChange,
  type Watched,
  watchOf,
} from '../../../../shared/domain/automation/watching.ts';
import type { SegmentRule } from '../../../../shared/domain/segment/segment.ts';

const now = new Date('2026-11-20T10:00:00Z');
const rule: SegmentRule = { tag: 'vip' };
const writtenAt = new Date('2026-11-01T00:00:00Z');
const watch = watchOf(3, { rule, at: writtenAt });
const person = (...tags: string[]) => ({
  ...{ firstName: null, lastName: null, tags, fields: {}, createdAt: now.toISOString(), confirmedAt: null },
});
const known = (isIn: boolean, more: Partial<Watched> = {}): Watched => ({
  watch,
  isIn,
  seen: 1,
  nextAt: null,
  ...more,
});
const change = (...tags: string[]): UnseenChange => ({
  ...{ version: 2, at: now, subscribed: false, changedFields: [] },
  before: { ...person(...tags), isReachable: true },
});
const find = (facts: Partial<SegmentFacts>) =>
  findInSegment({
    ...{ watch, rule, person: { ...person('vip'), activities: new Map() }, isReachable: true, version: 2, known: null },
    ...{ changes: [], formerActivities: new Map(), formerAt: now, isEvent: false, now, ...facts },
  }).kind;

describe('a person who is in a segment now', () => {
  it.each<[string, Partial<SegmentFacts>, string]>([
    ['was out', { known: known(false) }, 'entered'],
    ['was in', { known: known(true) }, 'none'],
    ['was in, left and came back', { known: known(true), changes: [change('vip'), change()] }, 'entered'],
    ['is evaluated first, unchanged', {}, 'present'],
    ['is evaluated first, and was in before a change', { changes: [change('vip')] }, 'present'],
    ['is evaluated first, and was out before a change', { changes: [change()] }, 'entered'],
    ['was nobody before', { changes: [{ ...change(), before: null }] }, 'entered'],
    [
      'was not subscribed before',
      { changes: [{ ...change(), before: { ...person('vip'), isReachable: false } }] },
      'entered',
    ],
    [
      'was in by the rule before an edit',
      { known: known(true, { watch: watchOf(3, { rule: { tag: 'x' }, at: writtenAt }) }) },
      'none',
    ],
    [
      'was out by the rule before an edit',
      { known: known(false, { watch: watchOf(3, { rule: { tag: 'x' }, at: writtenAt }) }) },
      'present',
    ],
    [
      'was in when it was enabled before',
      { known: known(true, { watch: watchOf(2, { rule, at: writtenAt }) }) },
      'present',
    ],
    ['may not be written to, and came to match', { isReachable: false, changes: [change()] }, 'unreachable'],
    ['may not be written to, and matched before', { isReachable: false, changes: [change('vip')] }, 'none'],
  ])('%s', (_, facts, kind) => {
    expect(find(facts)).toBe(kind);
  });
});

const trigger = { field: 'ends', at: '09:00', zone: 'UTC' } as const;
const dateFacts = (facts: Partial<DateFacts>): DateFacts => ({
  ...{ watch: '3', trigger, fields: { ends: '2026-11-25' }, version: 2, known: null, changes: [], now },
  ...{ since: new Date('2026-11-01T00:00:00Z'), ...facts },
});
const due = (nextAt: string | null): Watched => ({ watch: '3', isIn: false, seen: 1, nextAt });
const changed = (at: string, from: string | null): UnseenChange => ({
  ...{ version: 2, at: new Date(at), subscribed: false, changedFields: [{ name: 'ends', from }] },
});

describe('a date', () => {
  it.each<[string, Partial<DateFacts>, { reached: string | null; next: string | null }]>([
    ['to come', {}, { reached: null, next: '2026-11-25T09:00:00.000Z' }],
    ['that passed before it was watched', { fields: { ends: '2026-10-01' } }, { reached: null, next: null }],
    [
      'that passed before it was set',
      { fields: { ends: '2026-11-19' }, changes: [changed('2026-11-20T09:59:00Z', null)] },
      { reached: null, next: null },
    ],
    [
      'that has come',
      { fields: { ends: '2026-11-20' }, known: due('2026-11-20T09:00:00.000Z') },
      { reached: '2026-11-20T09:00:00.000Z', next: null },
    ],
    [
      'that was moved before its day',
      { known: due('2026-11-20T09:00:00.000Z') },
      { reached: null, next: '2026-11-25T09:00:00.000Z' },
    ],
    [
      'that was moved after its moment',
      { known: due('2026-11-20T09:00:00.000Z'), changes: [changed('2026-11-20T09:30:00Z', '2026-11-20')] },
      { reached: '2026-11-20T09:00:00.000Z', next: '2026-11-25T09:00:00.000Z' },
    ],
    ['that was started already', { fields: { ends: '2026-11-20' }, known: due(null) }, { reached: null, next: null }],
  ])('%s', (_, facts, { reached, next }) => {
    const found = findDate(dateFacts(facts));
    expect({ reached: found.reached?.toISOString() ?? null, next: found.watched.nextAt }).toEqual({ reached, next });
  });
});
