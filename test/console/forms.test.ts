import fc from 'fast-check';
import { fieldsOf, linesOf } from '../../shared/console/sections/people/internal/personForm.ts';
import { changed, treeIn } from '../../shared/console/sections/segments/internal/ruleForm.ts';
import { type Node, treeOf, written } from '../../shared/console/sections/segments/internal/ruleTree.ts';
import { matches, type SegmentRule } from '../../shared/domain/segment/segment.ts';
import { segmentRule } from '../../shared/domain/segment/segmentRule.ts';
import { anyPerson, anyRule } from '../shared/domain/segment/arbitraries.ts';

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

/** A tree as its form sends it. */
function formOf(node: Node, form = new URLSearchParams()): URLSearchParams {
  const { path } = node;
  form.set(`kind.${path}`, node.kind);
  if (node.kind === 'group') {
    form.set(`join.${path}`, node.join);
    for (const child of node.children) formOf(child, form);
  } else {
    for (const name of ['subject', 'field', 'test', 'value'] as const) form.set(`${name}.${path}`, node[name]);
  }
  return form;
}

const backFrom = (rule: SegmentRule): SegmentRule => segmentRule.parse(written(treeIn(formOf(treeOf(rule)))).rule);

describe('a segment as a form', () => {
  it.each<SegmentRule>([
    { tag: 'vip' },
    { not: { tag: 'staff' } },
    { all: [{ tag: 'vip' }, { name: 'firstName', operator: 'starts_with', value: 'A' }] },
    { all: [{ tag: 'a' }, { any: [{ tag: 'b' }, { not: { all: [{ tag: 'c' }, { tag: 'd' }] } }] }] },
    { not: { field: 'x', operator: 'exists' } },
    { all: [{ event: 'visit', operator: 'exists' }, { not: { event: 'a:b', operator: 'count_at_least', value: 3 } }] },
    {
      all: [{ mail: 'sent', operator: 'exists' }, { not: { mail: 'opened', operator: 'within_last_days', value: 30 } }],
    },
    {
      any: [
        { mail: 'clicked', operator: 'within_last_days', value: 7 },
        { not: { mail: 'clicked', operator: 'exists' } },
      ],
    },
    { not: { any: [{ date: 'created_at', operator: 'within_last_days', value: 30 }, { tag: 'x' }] } },
    { any: Array.from({ length: 150 }, (_, index) => ({ tag: `t${index}` })) },
  ])('comes back as it was: %j', (rule) => {
    expect(backFrom(rule)).toEqual(rule);
  });

  it('reaches the same people, whatever the rule', () => {
    fc.assert(
      fc.property(anyRule, anyPerson, (rule, person) => {
        const now = new Date('2026-11-21T12:00:00Z');
        expect(matches(backFrom(rule), person, now)).toBe(matches(rule, person, now));
      }),
      { numRuns: 300 },
    );
  });

  it('grows and shrinks by its buttons, and keeps what was written', () => {
    const before = treeOf({ all: [{ tag: 'a' }, { tag: 'b' }] });
    const grown = changed(before, 'condition:0');
    expect(grown.added).toBe('0.2');
    const grouped = changed(grown.root, 'group:0').root;
    expect(grouped.children.map(({ kind }) => kind)).toEqual(['condition', 'condition', 'condition', 'group']);
    const shrunk = changed(changed(grouped, 'remove:0.2').root, 'remove:0.0').root;
    expect(written(changed(shrunk, 'remove:0.3').root).rule).toEqual({ tag: 'b' });
    expect(changed(before, 'condition:0.7.7').root).toEqual(before);
  });

  it('says at which condition something is wrong, and takes no more of a form than the contract would', () => {
    const form = formOf(treeOf({ all: [{ tag: 'a' }, { field: 'age', operator: 'less_than', value: 3 }] }));
    form.set('value.0.1', 'many');
    const { rule, places } = written(treeIn(form));
    const [issue] = segmentRule.safeParse(rule).error?.issues ?? [];
    expect(issue?.path).toEqual(['all', 1, 'value']);
    expect(places.get('rule.all[1]')).toBe('0.1');

    const endless = new URLSearchParams();
    for (let index = 0; index < 5000; index += 1) endless.append(`kind.0.${index}`, 'condition');
    expect(treeIn(endless).children.length).toBeLessThan(5000);
  });
});
