import * as z from 'zod';
import { textsOf } from '../../language/text.ts';
import type { FieldValue } from '../person/person.ts';
import { fieldTests, ruleFieldName, ruleParser, testedRule } from '../segment/ruleParser.ts';
import {
  activityNameOf,
  type FieldTest,
  holds,
  leavesOf,
  meets,
  passes,
  type RuleTree,
  type SegmentCondition,
  type SegmentPerson,
} from '../segment/segment.ts';
import { segmentConditions } from '../segment/segmentRule.ts';
import { type DataPath, dataPath, valueAt } from './variables.ts';

/** The operators of a field, and one that only rules written for Resend have. */
type ValueTest = FieldTest | { readonly operator: 'ends_with'; readonly value: string };

/** One condition of a run, besides those of a segment. */
type RunCondition =
  | ({ readonly field: string } & ValueTest)
  /** The data of the start. */
  | ({ readonly trigger: DataPath } & ValueTest)
  /** The data of the event that ended a wait. */
  | ({ readonly waited: { readonly step: string; readonly path: DataPath } } & ValueTest)
  /** In a filter: the data of the event itself. */
  | ({ readonly data: DataPath } & ValueTest)
  /** What became of the message of a step. */
  | { readonly step: string; readonly mail: 'opened' | 'clicked' };

export type AutomationCondition = SegmentCondition | RunCondition;
export type AutomationRuleTree = RuleTree<AutomationCondition>;

const texts = textsOf({
  path: {
    en: 'must name a value of the data, as in amount or order.total',
    fr: 'doit nommer une valeur des données, comme amount ou order.total',
  },
});

const ruleDataPath = z.string().refine((path) => dataPath.test(path), { params: { text: texts.path } });
const stepName = z.string().min(1).max(64);
const valueTests = { ...fieldTests, ends_with: z.string().min(1).max(1000) };

/** The operators of a field, which all values are compared with. */
export const ruleOperators = Object.keys(fieldTests);

const mailRule = z.strictObject({ step: stepName, mail: z.enum(['opened', 'clicked']) });
const runConditions = {
  /** Before `mail` of a segment, which has no step. */
  step: mailRule,
  ...segmentConditions,
  field: testedRule({ field: ruleFieldName }, valueTests),
  trigger: testedRule({ trigger: ruleDataPath }, valueTests),
  waited: testedRule({ waited: z.strictObject({ step: stepName, path: ruleDataPath }) }, valueTests),
};

const read = (leaves: Parameters<typeof ruleParser>[0], place: 'trigger' | 'data') =>
  z.preprocess((given) => ourRule(given, place), ruleParser<AutomationCondition>(leaves));

/** A rule of an automation in JSON, in our form or in Resend's. Issues have the path and the reason of every problem. */
export const automationRule = read(runConditions, 'trigger');
/** The same for an event that starts a run or ends a wait, with `data` for its own data. */
export const filterRule = read({ ...runConditions, data: testedRule({ data: ruleDataPath }, valueTests) }, 'data');

/** What a rule is decided by. */
export interface RuleFacts {
  readonly person: SegmentPerson;
  /** The data of the start. */
  readonly data: unknown;
  /** By step, the data of the event that ended its wait. */
  readonly waited: Readonly<Record<string, unknown>>;
  /** By step, what is known of its message. */
  readonly mail: Readonly<Record<string, { readonly opened: boolean; readonly clicked: boolean } | undefined>>;
  /** In a filter: the data of the event. */
  readonly event?: unknown;
  readonly now: Date;
}

/** Whether a rule holds: a value that is not there passes only `not_equals`. */
export const decideRule = (rule: object, facts: RuleFacts): boolean =>
  holds(rule as AutomationRuleTree, (condition) => decide(condition, facts));

function decide(condition: AutomationCondition, facts: RuleFacts): boolean {
  if ('step' in condition) return facts.mail[condition.step]?.[condition.mail] ?? false;
  if ('trigger' in condition) return passesData(condition, valueAt(facts.data, condition.trigger));
  if ('data' in condition) return passesData(condition, valueAt(facts.event, condition.data));
  if ('waited' in condition) {
    const { step, path } = condition.waited;
    const data = Object.hasOwn(facts.waited, step) ? facts.waited[step] : undefined;
    return passesData(condition, valueAt(data, path));
  }
  if ('field' in condition) return passesData(condition, valueAt(facts.person.fields, condition.field));
  return meets(condition, facts.person, facts.now);
}

/** `null` counts as no value. Objects and lists are there, and equal nothing. */
function passesData(test: ValueTest, value: unknown): boolean {
  if (test.operator === 'exists') return value !== undefined && value !== null;
  const scalar: FieldValue | undefined =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
  return test.operator === 'ends_with' ? endsWith(scalar, test.value) : passes(test, scalar);
}

/** As the other operators compare texts: without regard to case. */
function endsWith(value: FieldValue | undefined, end: string): boolean {
  const folded = (text: string) => text.normalize('NFC').toLowerCase().trim();
  return value !== undefined && folded(String(value)).endsWith(folded(end));
}

/** A step that a rule or a variable names: its message, or the event that ended its wait. */
export interface NamedStep {
  readonly key: string;
  readonly as: 'wait' | 'message';
}

/** The names of the activities, of events and of mail, that a rule asks about. */
export const eventsOfRule = (rule: object): readonly string[] => [
  ...new Set(
    leavesOf(rule as AutomationRuleTree).flatMap((leaf) =>
      !('step' in leaf) && ('event' in leaf || 'mail' in leaf) ? [activityNameOf(leaf)] : [],
    ),
  ),
];

/** The steps that a rule names, with what it expects of each. */
export function stepsOfRule(rule: object): readonly NamedStep[] {
  return leavesOf(rule as AutomationRuleTree).flatMap((leaf): NamedStep[] => {
    if ('step' in leaf) return [{ key: leaf.step, as: 'message' }];
    return 'waited' in leaf ? [{ key: leaf.waited.step, as: 'wait' }] : [];
  });
}

/* Rules in the form of Resend. */

/** Deeper rules are refused afterwards in any form. */
const maxDepth = 12;

type Given = Readonly<Record<string, unknown>>;
const isRule = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A rule as our form has it: `{"type": "rule", "field": "event.x", "operator": "gte", …}` of Resend is read wherever a rule
 * is. What is in neither form stays as it is, for the parser to report. `place`: what `event.x` means here.
 */
function ourRule(rule: unknown, place: 'trigger' | 'data', depth = 1): unknown {
  if (!isRule(rule) || depth > maxDepth) return rule;
  const inner = (value: unknown) => ourRule(value, place, depth + 1);
  const each = (value: unknown) => (Array.isArray(value) ? value.map(inner) : value);
  if (rule.type === 'and') return { all: each(rule.rules) };
  if (rule.type === 'or') return { any: each(rule.rules) };
  if (rule.type === 'rule') return comparison(rule, place);
  if ('all' in rule) return { ...rule, all: each(rule.all) };
  if ('any' in rule) return { ...rule, any: each(rule.any) };
  return 'not' in rule ? { ...rule, not: inner(rule.not) } : rule;
}

/** Operators that are ours under another name. */
const operators: Readonly<Record<string, string>> = {
  eq: 'equals',
  neq: 'not_equals',
  gt: 'greater_than',
  lt: 'less_than',
  contains: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
};

function comparison({ type: _type, field, operator, value, ...rest }: Given, place: 'trigger' | 'data'): object {
  const subject = { ...rest, ...subjectOf(field, place) };
  const exists = { ...subject, operator: 'exists' };
  const compare = (name: string) => ({ ...subject, operator: name, value });
  switch (operator) {
    case 'exists':
      return exists;
    case 'is_empty':
      return { any: [{ not: exists }, { ...subject, operator: 'equals', value: '' }] };
    case 'gte':
      return { any: [compare('greater_than'), compare('equals')] };
    case 'lte':
      return { any: [compare('less_than'), compare('equals')] };
    case 'eq':
      return value === null ? { not: exists } : compare('equals');
    case 'neq':
      return value === null ? exists : compare('not_equals');
    default:
      return compare(typeof operator === 'string' ? (operators[operator] ?? operator) : String(operator));
  }
}

const names: Readonly<Record<string, string>> = {
  first_name: 'firstName',
  firstName: 'firstName',
  last_name: 'lastName',
  lastName: 'lastName',
};

function subjectOf(field: unknown, place: 'trigger' | 'data'): object {
  const [, source, path = ''] = typeof field === 'string' ? (/^(event|contact)\.(.+)$/.exec(field) ?? []) : [];
  if (source === 'event') return { [place]: path };
  if (source !== 'contact') return { field };
  const name = Object.hasOwn(names, path) ? names[path] : undefined;
  return name === undefined ? { field: path.replace(/^(?:fields|properties)\./, '') } : { name };
}
