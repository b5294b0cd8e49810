import type { FieldValue } from '../person/person.ts';
import { type MailAction, mailActivityName } from '../personEvents/mailActivity.ts';
import { type EventActivity, hasExpired } from '../personEvents/personEvent.ts';

/** What a segment reads of a person's events and mail, by the names of the activities; those that they have none of are absent. */
export type EventActivities = ReadonlyMap<string, Pick<EventActivity, 'count' | 'last' | 'expiresAt'>>;

/** What rules can test of a person: the attributes in the audience index. */
export interface SegmentPerson {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly tags: readonly string[];
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly confirmedAt: string | null;
  /** Absent where no activities were read: a rule about events or mail then throws, rather than match everybody or nobody. */
  readonly activities?: EventActivities;
}

type TextTest =
  | { readonly operator: 'contains' | 'starts_with'; readonly value: string }
  | { readonly operator: 'exists' };
type NameTest = TextTest | { readonly operator: 'equals' | 'not_equals'; readonly value: string };
/** How a field, or any value like one, is compared. */
export type FieldTest =
  | TextTest
  | { readonly operator: 'equals' | 'not_equals'; readonly value: FieldValue }
  | { readonly operator: 'greater_than' | 'less_than'; readonly value: number };
type DateTest =
  | { readonly operator: 'before' | 'after'; readonly value: string }
  | { readonly operator: 'within_last_days'; readonly value: number };

type MailTest = { readonly operator: 'exists' } | { readonly operator: 'within_last_days'; readonly value: number };
type ActivityTest = MailTest | { readonly operator: 'count_at_least'; readonly value: number };

/** A tree of conditions, of which the leaves say what is tested. */
export type RuleTree<Leaf extends object> =
  | { readonly all: readonly RuleTree<Leaf>[] }
  | { readonly any: readonly RuleTree<Leaf>[] }
  | { readonly not: RuleTree<Leaf> }
  | Leaf;

/** One condition of a segment. */
export type SegmentCondition =
  | { readonly tag: string }
  | ({ readonly field: string } & FieldTest)
  | ({ readonly name: 'firstName' | 'lastName' } & NameTest)
  | ({ readonly date: 'created_at' | 'confirmed_at' } & DateTest)
  | ({ readonly event: string } & ActivityTest)
  | ({ readonly mail: MailAction } & MailTest);

/** A tree of conditions; shared/domain/segment/segmentRule.ts reads one from JSON. */
export type SegmentRule = RuleTree<SegmentCondition>;

/** A named rule that campaigns can target. */
export interface Segment {
  readonly id: string;
  readonly name: string;
  readonly rule: SegmentRule;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** ISO 8601 UTC; absent until it is changed. */
  readonly updatedAt?: string;
  /** The same for its rule alone, which automations watch. */
  readonly ruleUpdatedAt?: string;
}

/** True when a tree holds, given which of its leaves do. */
export function holds<Leaf extends object>(rule: RuleTree<Leaf>, isTrue: (leaf: Leaf) => boolean): boolean {
  if ('all' in rule) return rule.all.every((each) => holds(each, isTrue));
  if ('any' in rule) return rule.any.some((each) => holds(each, isTrue));
  return 'not' in rule ? !holds(rule.not, isTrue) : isTrue(rule);
}

interface PlacedLeaf<Leaf> {
  readonly leaf: Leaf;
  /** From the root of the tree. */
  readonly path: readonly (string | number)[];
}

/** The leaves of a tree with their places, from left to right. */
export function placedLeavesOf<Leaf extends object>(
  rule: RuleTree<Leaf>,
  path: PlacedLeaf<Leaf>['path'] = [],
): PlacedLeaf<Leaf>[] {
  if ('all' in rule) return rule.all.flatMap((each, at) => placedLeavesOf(each, [...path, 'all', at]));
  if ('any' in rule) return rule.any.flatMap((each, at) => placedLeavesOf(each, [...path, 'any', at]));
  return 'not' in rule ? placedLeavesOf(rule.not, [...path, 'not']) : [{ leaf: rule, path }];
}

/** The leaves of a tree, from left to right. */
export const leavesOf = <Leaf extends object>(rule: RuleTree<Leaf>): Leaf[] =>
  placedLeavesOf(rule).map(({ leaf }) => leaf);

const dayMilliseconds = 86_400_000;

/**
 * True when a person passes a rule: the only place that decides it. Tags are compared exactly, texts without regard to
 * case. A missing value passes only `not_equals`, which is the negation of `equals`.
 */
export function matches(rule: SegmentRule, person: SegmentPerson, now: Date): boolean {
  return holds(rule, (condition) => meets(condition, person, now));
}

/** The same for one condition. */
export function meets(condition: SegmentCondition, person: SegmentPerson, now: Date): boolean {
  if ('tag' in condition) return person.tags.includes(condition.tag);
  if ('name' in condition) return passes(condition, person[condition.name] ?? undefined);
  if ('field' in condition) return passes(condition, fieldOf(person, condition.field));
  if ('event' in condition || 'mail' in condition) return passesActivity(condition, person.activities, now);
  return passesDate(condition, condition.date === 'created_at' ? person.createdAt : person.confirmedAt, now);
}

/** A field can have the name of an inherited property of objects. */
function fieldOf({ fields }: SegmentPerson, name: string): FieldValue | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** True when a value, undefined for none, passes a test. */
export function passes(test: FieldTest, value: FieldValue | undefined): boolean {
  switch (test.operator) {
    case 'exists':
      return value !== undefined;
    case 'not_equals':
      return value === undefined || comparable(value) !== comparable(test.value);
    case 'equals':
      return value !== undefined && comparable(value) === comparable(test.value);
    case 'contains':
      return value !== undefined && comparable(value).includes(comparable(test.value));
    case 'starts_with':
      return value !== undefined && comparable(value).startsWith(comparable(test.value));
    case 'greater_than':
      return numberOf(value) > test.value;
    case 'less_than':
      return numberOf(value) < test.value;
  }
}

function passesDate(test: DateTest, moment: string | null, now: Date): boolean {
  if (moment === null) return false;
  const at = Date.parse(moment);
  switch (test.operator) {
    case 'before':
      return at < Date.parse(test.value);
    case 'after':
      return at >= Date.parse(test.value);
    case 'within_last_days':
      return at <= now.getTime() && at >= now.getTime() - test.value * dayMilliseconds;
  }
}

type ActivityCondition = Extract<SegmentCondition, { readonly event: unknown } | { readonly mail: unknown }>;

/** The name of the activity that a condition asks about. */
export const activityNameOf = (condition: ActivityCondition): string =>
  'event' in condition ? condition.event : mailActivityName(condition.mail);

/** An activity that has expired is none, though DynamoDB deletes it later. */
function passesActivity(test: ActivityCondition, activities: EventActivities | undefined, now: Date): boolean {
  if (!activities)
    throw new Error('A rule about events or mail was evaluated for a person whose activities were not read.');
  const activity = activities.get(activityNameOf(test));
  if (!activity || hasExpired(activity, now)) return false;
  if (test.operator === 'exists') return true;
  if (test.operator === 'count_at_least') return activity.count >= test.value;
  return Date.parse(activity.last) >= now.getTime() - test.value * dayMilliseconds;
}

/** Imported values are texts, so a number equals its text. */
function comparable(value: FieldValue): string {
  return String(value).normalize('NFC').toLowerCase().trim();
}

/** The number that a value is or spells; NaN, which passes no comparison, for anything else. */
function numberOf(value: FieldValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : Number.NaN;
}

/** The attributes of a person that a rule tests; only they need to be read. */
export interface RuleSubjects {
  readonly properties: ReadonlySet<Exclude<keyof SegmentPerson, 'fields' | 'activities'>>;
  /** Names of fields. */
  readonly fields: ReadonlySet<string>;
  /** Names of events, and those by which mail is noted. */
  readonly events: ReadonlySet<string>;
}

/** The subjects of a rule; none without a rule. */
export function ruleSubjects(rule: SegmentRule | null): RuleSubjects {
  const leaves = rule ? leavesOf(rule) : [];
  return {
    properties: new Set(leaves.flatMap(propertyOf)),
    fields: new Set(leaves.flatMap((leaf) => ('field' in leaf ? [leaf.field] : []))),
    events: new Set(leaves.flatMap((leaf) => ('event' in leaf || 'mail' in leaf ? [activityNameOf(leaf)] : []))),
  };
}

function propertyOf(leaf: SegmentCondition): Exclude<keyof SegmentPerson, 'fields' | 'activities'>[] {
  if ('tag' in leaf) return ['tags'];
  if ('name' in leaf) return [leaf.name];
  if ('field' in leaf || 'event' in leaf || 'mail' in leaf) return [];
  return [leaf.date === 'created_at' ? 'createdAt' : 'confirmedAt'];
}
