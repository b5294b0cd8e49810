import { type Issue, ValidationError } from '../../../contract/errors.ts';
import type { SegmentRule } from '../../../domain/segment/segment.ts';
import { type testTexts, segmentsTexts as texts } from './texts.ts';

/** How many conditions the form has room for; a rule that needs more is JSON. */
export const conditionRows = 5;

export const subjects = ['tag', 'firstName', 'lastName', 'field', 'created_at', 'confirmed_at'] as const;
type Subject = (typeof subjects)[number];
type Test = keyof typeof testTexts;

/** One row of the form. */
export interface Condition {
  readonly subject: Subject;
  readonly fieldName: string;
  readonly test: Test;
  readonly value: string;
}

/** The rule that was clicked together, or the JSON in its place. Throws `validation_error` for what is no rule at all. */
export function ruleOf(form: URLSearchParams): unknown {
  const json = (form.get('json') ?? '').trim();
  if (json !== '') return parsed(json);
  const conditions = Array.from({ length: conditionRows }, (_, index) => conditionOf(form, index)).filter(
    (one) => one !== null,
  );
  const [first, ...others] = conditions.map(leafOf);
  if (first === undefined) throw invalid('rule', texts.ruleMissing);
  if (others.length === 0) return first;
  return form.get('joined') === 'any' ? { any: [first, ...others] } : { all: [first, ...others] };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalid('json', texts.jsonWrong);
  }
}

const invalid = (path: string, text: Issue['text']) => new ValidationError([{ path, text }]);

function conditionOf(form: URLSearchParams, index: number): Condition | null {
  const value = (name: string) => (form.get(`${name}${index}`) ?? '').trim();
  const subject = subjects.find((one) => one === value('subject'));
  if (!subject) return null;
  return { subject, fieldName: value('fieldName'), test: value('test') as Test, value: value('value') };
}

/** What the contract says of it decides whether it is a rule: nothing is judged here. */
function leafOf({ subject, fieldName, test, value }: Condition): unknown {
  const tested = test === 'exists' ? { operator: test } : { operator: test, value: typed(test, value) };
  switch (subject) {
    case 'tag':
      return test === 'not_equals' ? { not: { tag: value } } : { tag: value };
    case 'firstName':
    case 'lastName':
      return { name: subject, ...tested };
    case 'field':
      return { field: fieldName, ...tested };
    case 'created_at':
    case 'confirmed_at':
      return { date: subject, ...tested };
  }
}

const numeric: readonly Test[] = ['greater_than', 'less_than', 'within_last_days'];

const typed = (test: Test, value: string): string | number =>
  numeric.includes(test) && value !== '' ? Number(value) : value;

/** A rule as rows of the form; null for one that has no such form. */
export function conditionsOf(rule: SegmentRule): { joined: 'all' | 'any'; rows: readonly Condition[] } | null {
  const joined = 'any' in rule ? 'any' : 'all';
  const parts = 'all' in rule ? rule.all : 'any' in rule ? rule.any : [rule];
  const rows = parts.map(rowOf);
  if (rows.length > conditionRows || rows.includes(null)) return null;
  return { joined, rows: rows.filter((row) => row !== null) };
}

function rowOf(rule: SegmentRule): Condition | null {
  if ('tag' in rule) return { subject: 'tag', fieldName: '', test: 'equals', value: rule.tag };
  if ('not' in rule) {
    return 'tag' in rule.not ? { subject: 'tag', fieldName: '', test: 'not_equals', value: rule.not.tag } : null;
  }
  if (!('operator' in rule)) return null;
  const value = 'value' in rule ? String(rule.value) : '';
  const subject = 'name' in rule ? rule.name : 'field' in rule ? 'field' : rule.date;
  return { subject, fieldName: 'field' in rule ? rule.field : '', test: rule.operator, value };
}
