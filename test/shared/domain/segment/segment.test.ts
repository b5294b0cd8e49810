import fc from 'fast-check';
import { issuesOf } from '../../../../shared/contract/errors.ts';
import { segmentLimits } from '../../../../shared/domain/segment/ruleParser.ts';
import {
  matches,
  type RuleSubjects,
  ruleSubjects,
  type SegmentPerson,
  type SegmentRule,
} from '../../../../shared/domain/segment/segment.ts';
import { segmentRule, segmentRuleFor } from '../../../../shared/domain/segment/segmentRule.ts';
import { anyPerson, anyRule } from './arbitraries.ts';

const now = new Date('2026-11-21T10:00:00.000Z');

const ada: SegmentPerson = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  tags: ['vip', 'News'],
  fields: { city: 'Saint-Étienne', age: 36, score: '12.5', vip: true, empty: '' },
  createdAt: '2026-11-01T10:00:00.000Z',
  confirmedAt: null,
};

const isIn = (rule: SegmentRule, person: Partial<SegmentPerson> = {}) => matches(rule, { ...ada, ...person }, now);

describe('matches', () => {
  it.each<[SegmentRule, boolean]>([
    [{ tag: 'vip' }, true],
    [{ tag: 'VIP' }, false],
    [{ tag: 'vi' }, false],
    [{ name: 'firstName', operator: 'equals', value: 'ada' }, true],
    [{ name: 'lastName', operator: 'starts_with', value: 'LOVE' }, true],
    [{ name: 'lastName', operator: 'contains', value: 'lace' }, true],
    [{ name: 'lastName', operator: 'not_equals', value: 'Byron' }, true],
    [{ name: 'lastName', operator: 'exists' }, true],
    [{ field: 'city', operator: 'equals', value: 'saint-E\u0301tienne' }, true],
    [{ field: 'city', operator: 'starts_with', value: 'saint' }, true],
    [{ field: 'age', operator: 'equals', value: 36 }, true],
    [{ field: 'age', operator: 'equals', value: '36' }, true],
    [{ field: 'age', operator: 'greater_than', value: 36 }, false],
    [{ field: 'age', operator: 'greater_than', value: 35.9 }, true],
    [{ field: 'score', operator: 'less_than', value: 13 }, true],
    [{ field: 'city', operator: 'less_than', value: 13 }, false],
    [{ field: 'empty', operator: 'less_than', value: 13 }, false],
    [{ field: 'vip', operator: 'equals', value: true }, true],
    [{ field: 'vip', operator: 'greater_than', value: 0 }, false],
    [{ field: 'empty', operator: 'exists' }, true],
    [{ field: 'none', operator: 'exists' }, false],
    [{ field: 'none', operator: 'equals', value: 'undefined' }, false],
    [{ field: 'none', operator: 'not_equals', value: 'x' }, true],
    [{ field: 'constructor', operator: 'exists' }, false],
    [{ date: 'created_at', operator: 'before', value: '2026-11-02' }, true],
    [{ date: 'created_at', operator: 'before', value: '2026-11-01T10:00:00Z' }, false],
    [{ date: 'created_at', operator: 'after', value: '2026-11-01T10:00:00Z' }, true],
    [{ date: 'created_at', operator: 'after', value: '2026-11-01T12:00:01+02:00' }, false],
    [{ date: 'created_at', operator: 'within_last_days', value: 20 }, true],
    [{ date: 'created_at', operator: 'within_last_days', value: 19 }, false],
    [{ date: 'confirmed_at', operator: 'before', value: '2999-01-01' }, false],
    [{ date: 'confirmed_at', operator: 'after', value: '1970-01-01' }, false],
  ])('%j: %p', (rule, expected) => {
    expect(isIn(rule)).toBe(expected);
    expect(isIn({ not: rule })).toBe(!expected);
  });

  it('ends the last days at the present', () => {
    const rule: SegmentRule = { date: 'created_at', operator: 'within_last_days', value: 1 };
    expect(isIn(rule, { createdAt: '2026-11-22T10:00:00.000Z' })).toBe(false);
  });

  it('counts an event as long as its activity is kept', () => {
    const rules: SegmentRule[] = [
      { event: 'visit', operator: 'exists' },
      { event: 'visit', operator: 'count_at_least', value: 3 },
      { event: 'visit', operator: 'within_last_days', value: 2 },
    ];
    const of = (count: number, last: string, expiresAt = now.getTime() / 1000 + 1) =>
      rules.map((rule) => isIn(rule, { activities: new Map([['visit', { count, last, expiresAt }]]) }));
    expect(of(3, '2026-11-19T10:00:00.000Z')).toEqual([true, true, true]);
    expect(of(2, '2026-11-19T09:59:59.999Z')).toEqual([true, false, false]);
    expect(of(3, '2026-11-21T10:04:00.000Z')).toEqual([true, true, true]);
    expect(of(3, '2026-11-21T09:00:00.000Z', now.getTime() / 1000)).toEqual([false, false, false]);
    expect(rules.map((rule) => isIn(rule, { activities: new Map() }))).toEqual([false, false, false]);
    // Nobody is taken for a person who never did it because nobody looked.
    expect(() => isIn({ not: { event: 'visit', operator: 'exists' } })).toThrow('were not read');
  });

  it('tells mail, opens and clicks apart by the latest of each', () => {
    const activity = { count: 1, last: '2026-11-19T10:00:00.000Z', expiresAt: now.getTime() / 1000 + 1 };
    const activities = new Map([
      ['email.sent', activity],
      ['email.opened', { ...activity, last: '2026-11-19T09:59:59.999Z' }],
    ]);
    const within: SegmentRule[] = (['sent', 'opened', 'clicked'] as const).map((mail) => ({
      ...{ mail, operator: 'within_last_days', value: 2 },
    }));
    const ever: SegmentRule[] = (['sent', 'opened', 'clicked'] as const).map((mail) => ({ mail, operator: 'exists' }));
    expect(within.map((rule) => isIn(rule, { activities }))).toEqual([true, false, false]);
    expect(ever.map((rule) => isIn(rule, { activities }))).toEqual([true, true, false]);
    expect(ever.map((rule) => isIn({ not: rule }, { activities }))).toEqual([false, false, true]);
    expect(() => isIn({ not: { mail: 'opened', operator: 'exists' } })).toThrow('were not read');
  });

  it('passes no test of a missing name', () => {
    const rules: SegmentRule[] = [
      { name: 'firstName', operator: 'equals', value: 'null' },
      { name: 'firstName', operator: 'contains', value: 'null' },
      { name: 'firstName', operator: 'starts_with', value: 'n' },
    ];
    for (const rule of rules) expect(isIn(rule, { firstName: null })).toBe(false);
    expect(isIn({ name: 'firstName', operator: 'exists' }, { firstName: null })).toBe(false);
  });
});

describe('the laws of logic', () => {
  const always = (left: (a: SegmentRule, b: SegmentRule) => SegmentRule, right: typeof left) =>
    fc.assert(
      fc.property(anyRule, anyRule, anyPerson, (a, b, who) => {
        expect(matches(left(a, b), who, now)).toBe(matches(right(a, b), who, now));
      }),
    );

  it('De Morgan', () => {
    always(
      (a, b) => ({ not: { all: [a, b] } }),
      (a, b) => ({ any: [{ not: a }, { not: b }] }),
    );
    always(
      (a, b) => ({ not: { any: [a, b] } }),
      (a, b) => ({ all: [{ not: a }, { not: b }] }),
    );
  });

  it('double negation, order and repetition do not matter', () => {
    always(
      (a) => ({ not: { not: a } }),
      (a) => a,
    );
    always(
      (a, b) => ({ all: [a, b, a] }),
      (a, b) => ({ all: [b, a] }),
    );
    always(
      (a, b) => ({ any: [a, b, a] }),
      (a, b) => ({ any: [b, a] }),
    );
  });

  it('not_equals is the negation of equals', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('x', 'y'),
        fc.oneof(fc.string(), fc.integer(), fc.boolean()),
        anyPerson,
        (field, value, who) => {
          const equals = matches({ field, operator: 'equals', value }, who, now);
          expect(matches({ field, operator: 'not_equals', value }, who, now)).toBe(!equals);
        },
      ),
    );
  });
});

describe('segmentRule', () => {
  const problems = (rule: unknown) => {
    const result = segmentRule.safeParse(rule, { reportInput: true });
    return result.success ? [] : issuesOf(result.error).map(({ path, text }) => `${path}: ${text.en}`);
  };

  it('reads back every possible rule', () => {
    fc.assert(
      fc.property(anyRule, (rule) => expect(segmentRule.parse(JSON.parse(JSON.stringify(rule)))).toEqual(rule)),
    );
  });

  it('reports every problem with its path', () => {
    const rule = {
      all: [
        { tag: 1 },
        { tagg: 'vip' },
        { field: 'a b', operator: 'equals', value: {} },
        { field: 'age', operator: 'is', value: 3 },
        { not: { field: 'age', operator: 'greater_than', value: '3' } },
        { any: [{ date: 'created_at', operator: 'before', value: '2026-02-31' }, 'vip'] },
      ],
    };
    expect(problems(rule)).toEqual([
      'all[0].tag: must be a string',
      'all[1]: must have one of: all, any, not, tag, name, field, date, event, mail',
      'all[2].field: must be a field name: 1 to 64 of A-Z a-z 0-9 _',
      'all[2].value: must be a string of at most 1000 characters, a number or a boolean',
      'all[3].operator: must be one of: equals, not_equals, contains, starts_with, exists, greater_than, less_than',
      'all[4].not.value: must be a number',
      'all[5].any[0].value: must be a date such as 2026-11-21 or a time such as 2026-11-21T10:30:00Z',
      'all[5].any[1]: must be an object such as {"tag": "vip"}',
    ]);
  });

  it.each([
    [{ all: [] }, 'all: must have at least one entry'],
    [{ tag: 'a', any: [{ tag: 'b' }] }, 'tag: is not a field of this request'],
    [{ name: 'firstName', operator: 'exists', value: 'x' }, 'value: is not a field of this request'],
    [{ name: 'middleName', operator: 'exists' }, 'name: must be one of: firstName, lastName'],
    [{ field: 'a', operator: 'constructor' }, 'operator: must be one of'],
    [{ field: 'a', operator: null }, 'operator: must be one of'],
    [{ field: 'a', value: 1 }, 'operator: is required'],
    [{ field: 'a', operator: 'contains', value: '' }, 'value: must not be empty'],
    [{ date: 'created_at', operator: 'within_last_days', value: 0.5 }, 'value: must be an integer'],
    [{ mail: 'bounced', operator: 'exists' }, 'mail: must be one of: sent, opened, clicked'],
    [{ mail: 'opened', operator: 'count_at_least', value: 2 }, 'operator: must be one of: exists, within_last_days'],
    [{ mail: 'opened', operator: 'within_last_days', value: 401 }, 'value: must be at most 400'],
    [{ mail: 'opened', step: 'a' }, 'operator: is required'],
    [null, ': must be an object'],
  ])('refuses %j', (rule, expected) => {
    expect(problems(rule)).toEqual([expect.stringContaining(expected)]);
  });

  it('is about what the deployment keeps', () => {
    const rule = {
      all: [{ mail: 'sent', operator: 'exists' }, { not: { mail: 'opened', operator: 'within_last_days', value: 30 } }],
    };
    const issuesFor = (given: unknown, mailActivity: boolean, eventDays = 90) => {
      const { error } = segmentRuleFor({ eventDays, mailActivity }).safeParse(given, { reportInput: true });
      return error ? issuesOf(error).map(({ path, text }) => `${path}: ${text.en}`) : [];
    };
    expect(issuesFor(rule, true)).toEqual([]);
    expect(issuesFor(rule, true, 29)).toEqual([expect.stringContaining('all[1].not.value: must be at most 29')]);
    const off = 'needs the setting mailActivity, which is off in this deployment';
    expect(issuesFor(rule, false)).toEqual([`all[0].mail: ${off}`, `all[1].not.mail: ${off}`]);
    const reserved = { event: 'email.opened', operator: 'count_at_least', value: 3 };
    expect(issuesFor(reserved, true)).toEqual([expect.stringContaining('event: must not begin with email.')]);
    // A stored rule stays readable, whatever is kept now.
    expect(problems({ any: [rule, reserved] })).toEqual([]);
  });

  it('is about five different events and mails at most', () => {
    const mails = ['sent', 'opened', 'clicked'].map((mail) => ({ mail, operator: 'exists' }));
    const events = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ event: `e${at}`, operator: 'exists' }));
    expect(problems({ all: [...mails, ...mails, ...events(2)] })).toEqual([]);
    expect(problems({ all: [...mails, ...events(3)] })).toEqual([
      ': must not be about more than 5 different events and mails',
    ]);
  });

  it('refuses rules that are too deep or too large, of any size', () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((rule) => ({ not: rule }), { tag: 'vip' });
    expect(problems(nested(segmentLimits.depth - 1))).toEqual([]);
    expect(problems(nested(segmentLimits.depth))).toEqual([expect.stringContaining('nested')]);
    expect(problems(nested(100_000))).toEqual([expect.stringContaining('nested')]);
    const wide = (rules: number) => ({ any: Array.from({ length: rules }, () => ({ tag: 'vip' })) });
    expect(problems(wide(segmentLimits.rules - 1))).toEqual([]);
    expect(problems(wide(segmentLimits.rules))).toEqual([expect.stringContaining('must not contain more')]);
    expect(problems(wide(1_000_000))).toEqual([expect.stringContaining('must not contain more')]);
  });
});

const noon = new Date('2026-11-21T12:00:00Z');

/** A person reduced to the named subjects. */
const reduced = (person: SegmentPerson, { properties, fields, events }: RuleSubjects): SegmentPerson => ({
  firstName: properties.has('firstName') ? person.firstName : null,
  lastName: properties.has('lastName') ? person.lastName : null,
  tags: properties.has('tags') ? person.tags : [],
  createdAt: properties.has('createdAt') ? person.createdAt : '',
  confirmedAt: properties.has('confirmedAt') ? person.confirmedAt : null,
  fields: Object.fromEntries(Object.entries(person.fields).filter(([name]) => fields.has(name))),
  ...(events.size > 0 && { activities: new Map([...(person.activities ?? [])].filter(([name]) => events.has(name))) }),
});

describe('ruleSubjects', () => {
  it('names everything that a rule tests: without the rest it decides the same', () => {
    fc.assert(
      fc.property(anyRule, anyPerson, (rule, person) => {
        expect(matches(rule, reduced(person, ruleSubjects(rule)), noon)).toBe(matches(rule, person, noon));
      }),
    );
  });

  it('names nothing that a rule does not test', () => {
    const rule = { all: [{ not: { tag: 'vip' } }, { any: [{ field: 'city', operator: 'exists' as const }] }] };
    expect(ruleSubjects(rule)).toEqual({ properties: new Set(['tags']), fields: new Set(['city']), events: new Set() });
    expect(ruleSubjects(null)).toEqual({ properties: new Set(), fields: new Set(), events: new Set() });
  });
});
