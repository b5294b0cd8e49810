import { type MailAction, mailActions } from '../../../../domain/personEvents/mailActivity.ts';
import type { SegmentCondition, SegmentRule } from '../../../../domain/segment/segment.ts';

export const joins = ['all', 'any', 'notAll', 'notAny'] as const;
type Join = (typeof joins)[number];

const mailSubject = <Action extends MailAction>(action: Action) => `mail_${action}` as const;

export const subjects = [
  ...(['tag', 'firstName', 'lastName', 'field', 'created_at', 'confirmed_at', 'event'] as const),
  ...mailActions.map(mailSubject),
] as const;
type RuleSubject = (typeof subjects)[number];

/** A rule as the form shows it: groups that contain conditions and groups. `path` identifies a node: `0.2.1`. */
export interface RuleGroup {
  readonly kind: 'group';
  readonly path: string;
  readonly join: Join;
  readonly children: readonly Node[];
}

export interface RuleCondition {
  readonly kind: 'condition';
  readonly path: string;
  readonly subject: RuleSubject;
  /** The name of the field or event, if the subject is `field` or `event`. */
  readonly field: string;
  /** An operator of the contract, or `not:` followed by one. */
  readonly test: string;
  readonly value: string;
}

export type Node = RuleGroup | RuleCondition;

export const rootPath = '0';

export const newCondition = (path: string): RuleCondition => ({
  kind: 'condition',
  path,
  subject: 'tag',
  field: '',
  test: 'equals',
  value: '',
});

export const newGroup = (path: string): RuleGroup => ({
  kind: 'group',
  path,
  join: 'any',
  children: [newCondition(`${path}.0`)],
});

/** Converts any rule of the contract to the tree that the form shows. */
export function treeOf(rule: SegmentRule): RuleGroup {
  const root = nodeOf(rule, rootPath);
  if (root.kind === 'group') return root;
  return { kind: 'group', path: rootPath, join: 'all', children: [nodeOf(rule, `${rootPath}.0`)] };
}

function nodeOf(rule: SegmentRule, path: string): Node {
  const group = (join: Join, rules: readonly SegmentRule[]): RuleGroup => ({
    kind: 'group',
    path,
    join,
    children: rules.map((one, index) => nodeOf(one, `${path}.${index}`)),
  });
  if ('all' in rule) return group('all', rule.all);
  if ('any' in rule) return group('any', rule.any);
  if (!('not' in rule)) return conditionOf(rule, path, '');
  const denied = rule.not;
  if ('all' in denied) return group('notAll', denied.all);
  if ('any' in denied) return group('notAny', denied.any);
  return 'not' in denied ? group('notAll', [denied]) : conditionOf(denied, path, 'not:');
}

function conditionOf(rule: SegmentCondition, path: string, prefix: '' | 'not:'): RuleCondition {
  if ('tag' in rule) {
    return { ...newCondition(path), test: prefix === '' ? 'equals' : 'not_equals', value: rule.tag };
  }
  return {
    kind: 'condition',
    path,
    subject: subjectOf(rule),
    field: 'field' in rule ? rule.field : 'event' in rule ? rule.event : '',
    test: prefix === '' ? rule.operator : (opposites[rule.operator] ?? `${prefix}${rule.operator}`),
    value: 'value' in rule ? String(rule.value) : '',
  };
}

function subjectOf(rule: SegmentCondition): RuleSubject {
  if ('name' in rule) return rule.name;
  if ('date' in rule) return rule.date;
  if ('mail' in rule) return mailSubject(rule.mail);
  return 'event' in rule ? 'event' : 'field';
}

/** Pairs of tests that negate each other. */
const opposites: Readonly<Record<string, string>> = { equals: 'not_equals', not_equals: 'equals' };

/** A rule to validate, and where each of its parts is in the form. */
export interface WrittenRule {
  readonly rule: unknown;
  /** By the path of an issue, such as `rule.all[1]`. */
  readonly places: ReadonlyMap<string, string>;
}

/** Conditions on a tag that test more than whether the person has it. */
export const unusualTagTests = (node: Node): readonly string[] =>
  node.kind === 'group'
    ? node.children.flatMap(unusualTagTests)
    : node.subject === 'tag' && !['equals', 'not_equals'].includes(node.test)
      ? [node.path]
      : [];

/** The rule of a form. The contract reports incomplete conditions. */
export function written(root: RuleGroup): WrittenRule {
  const places = new Map<string, string>();
  const [only, ...others] = root.children;
  const isAlone = only !== undefined && others.length === 0 && (root.join === 'all' || root.join === 'any');
  return { rule: write(isAlone ? only : root, 'rule', places), places };
}

function write(node: Node, at: string, places: Map<string, string>): unknown {
  places.set(at, node.path);
  if (node.kind === 'condition') {
    const leaf = leafOf(node);
    const isDenied = node.test.startsWith('not:') || (node.subject === 'tag' && node.test === 'not_equals');
    return isDenied ? { not: leaf } : leaf;
  }
  const isDenied = node.join === 'notAll' || node.join === 'notAny';
  const word = node.join === 'all' || node.join === 'notAll' ? 'all' : 'any';
  const inside = isDenied ? `${at}.not` : at;
  const rules = node.children.map((child, index) => write(child, `${inside}.${word}[${index}]`, places));
  return isDenied ? { not: { [word]: rules } } : { [word]: rules };
}

const numeric = ['greater_than', 'less_than', 'within_last_days', 'count_at_least'];

function leafOf({ subject, field, test, value }: RuleCondition): unknown {
  const operator = test.replace(/^not:/, '');
  const given = numeric.includes(operator) && value !== '' ? Number(value) : value;
  const tested = operator === 'exists' ? { operator } : { operator, value: given };
  switch (subject) {
    case 'tag':
      return { tag: value };
    case 'firstName':
    case 'lastName':
      return { name: subject, ...tested };
    case 'field':
      return { field, ...tested };
    case 'event':
      return { event: field, ...tested };
    case 'created_at':
    case 'confirmed_at':
      return { date: subject, ...tested };
    case 'mail_sent':
    case 'mail_opened':
    case 'mail_clicked':
      return { mail: mailActions.find((action) => mailSubject(action) === subject), ...tested };
  }
}
