import type { SegmentPerson, SegmentRule } from './segment.ts';

/** What a rule looks at of a person: nothing else need be read to decide it. */
export interface RuleSubjects {
  readonly properties: ReadonlySet<Exclude<keyof SegmentPerson, 'fields'>>;
  /** Names of fields. */
  readonly fields: ReadonlySet<string>;
}

/** The subjects of a rule; none of no rule. */
export function ruleSubjects(rule: SegmentRule | null): RuleSubjects {
  const leaves = rule ? leavesOf(rule) : [];
  return {
    properties: new Set(leaves.flatMap(propertyOf)),
    fields: new Set(leaves.flatMap((leaf) => ('field' in leaf ? [leaf.field] : []))),
  };
}

type Leaf = Exclude<SegmentRule, { all: unknown } | { any: unknown } | { not: unknown }>;

function leavesOf(rule: SegmentRule): Leaf[] {
  if ('all' in rule) return rule.all.flatMap(leavesOf);
  if ('any' in rule) return rule.any.flatMap(leavesOf);
  return 'not' in rule ? leavesOf(rule.not) : [rule];
}

function propertyOf(leaf: Leaf): Exclude<keyof SegmentPerson, 'fields'>[] {
  if ('tag' in leaf) return ['tags'];
  if ('name' in leaf) return [leaf.name];
  if ('field' in leaf) return [];
  return [leaf.date === 'created_at' ? 'createdAt' : 'confirmedAt'];
}
