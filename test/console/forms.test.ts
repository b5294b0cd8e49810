import { fieldsOf, linesOf } from '../../shared/console/rooms/people/fields.ts';
import { conditionsOf, ruleOf } from '../../shared/console/rooms/segments/rule.ts';
import type { SegmentRule } from '../../shared/domain/segment/segment.ts';
import { segmentRule } from '../../shared/domain/segment/segmentRule.ts';

describe('the fields of a person as lines', () => {
  const before = { city: 'Paris', orders: '42', visits: 7, vip: true, note: 'a = b' };

  it('keep their types when nothing was changed: an imported number stays a text', () => {
    expect(fieldsOf(linesOf(before), before)).toEqual(before);
    expect(fieldsOf(linesOf(before).replaceAll('\n', '\r\n'), before)).toEqual(before);
  });

  it('take away what is no longer there, and read what is new as JSON would', () => {
    const text = 'city = Wien\nage = 36\nfriend = false\nzip = 01234\n\nnote = x';
    const gone = { orders: null, visits: null, vip: null };
    expect(fieldsOf(text, before)).toEqual({ ...gone, city: 'Wien', age: 36, friend: false, zip: '01234', note: 'x' });
  });

  it('are refused with every line that is none', () => {
    expect(() => fieldsOf('city\nage = 3\nx y', {})).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });

  it('may be called like something that every object has', () => {
    expect(Object.entries(fieldsOf('constructor = 1\ntoString = x', {}))).toEqual([
      ['constructor', 1],
      ['toString', 'x'],
    ]);
  });
});

describe('a segment as rows of a form', () => {
  const rules: SegmentRule[] = [
    { tag: 'vip' },
    { not: { tag: 'staff' } },
    { all: [{ tag: 'vip' }, { name: 'firstName', operator: 'starts_with', value: 'A' }] },
    {
      any: [
        { field: 'orders', operator: 'greater_than', value: 3 },
        { field: 'city', operator: 'exists' },
        { date: 'created_at', operator: 'within_last_days', value: 30 },
        { date: 'confirmed_at', operator: 'before', value: '2026-11-21' },
        { name: 'lastName', operator: 'not_equals', value: 'Doe' },
      ],
    },
  ];

  it.each(rules)('comes back as it was: %j', (rule) => {
    const shown = conditionsOf(rule);
    const form = new URLSearchParams({ joined: shown?.joined ?? '' });
    for (const [index, row] of (shown?.rows ?? []).entries()) {
      for (const [name, value] of Object.entries(row)) form.set(`${name}${index}`, value);
    }
    expect(ruleOf(form)).toEqual(rule);
    expect(segmentRule.safeParse(ruleOf(form)).success).toBe(true);
  });

  it.each<SegmentRule>([
    { all: [{ tag: 'a' }, { any: [{ tag: 'b' }] }] },
    { not: { field: 'x', operator: 'exists' } },
    { all: ['a', 'b', 'c', 'd', 'e', 'f'].map((tag) => ({ tag })) },
  ])('has no rows where it is more than they can say, and is shown as JSON: %j', (rule) => {
    expect(conditionsOf(rule)).toBeNull();
    expect(ruleOf(new URLSearchParams({ json: JSON.stringify(rule) }))).toEqual(rule);
  });

  it('is refused without a condition, and for JSON that is none', () => {
    const refusal = expect.objectContaining({ code: 'validation_error' });
    expect(() => ruleOf(new URLSearchParams())).toThrow(refusal);
    expect(() => ruleOf(new URLSearchParams({ json: '{' }))).toThrow(refusal);
  });
});
