import fc from 'fast-check';
import { type RuleSubjects, ruleSubjects } from '../../../../shared/domain/segment/ruleSubjects.ts';
import { matches, type SegmentPerson } from '../../../../shared/domain/segment/segment.ts';
import { anyPerson, anyRule } from './arbitraries.ts';

const now = new Date('2026-11-21T12:00:00Z');

/** Only what is named is left of a person. */
const reduced = (person: SegmentPerson, { properties, fields }: RuleSubjects): SegmentPerson => ({
  firstName: properties.has('firstName') ? person.firstName : null,
  lastName: properties.has('lastName') ? person.lastName : null,
  tags: properties.has('tags') ? person.tags : [],
  createdAt: properties.has('createdAt') ? person.createdAt : '',
  confirmedAt: properties.has('confirmedAt') ? person.confirmedAt : null,
  fields: Object.fromEntries(Object.entries(person.fields).filter(([name]) => fields.has(name))),
});

describe('ruleSubjects', () => {
  it('names all that decides: without the rest a rule says the same of anybody', () => {
    fc.assert(
      fc.property(anyRule, anyPerson, (rule, person) => {
        expect(matches(rule, reduced(person, ruleSubjects(rule)), now)).toBe(matches(rule, person, now));
      }),
    );
  });

  it('names nothing that a rule does not look at', () => {
    const rule = { all: [{ not: { tag: 'vip' } }, { any: [{ field: 'city', operator: 'exists' as const }] }] };
    expect(ruleSubjects(rule)).toEqual({ properties: new Set(['tags']), fields: new Set(['city']) });
    expect(ruleSubjects(null)).toEqual({ properties: new Set(), fields: new Set() });
  });
});
