import { ValidationError } from '../../../../../contract/errors.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { testTexts } from '../../../segments/ruleTexts.ts';
import { readValue } from './fields.ts';
import { ruleTexts as texts } from './fieldTexts.ts';

/** A rule as a form shows it: conditions in a row. Rules with groups inside groups are written as JSON. */
export interface RuleRow {
  /** Empty: no condition. */
  readonly subject: RowSubject | '';
  /** The step that it asks about. */
  readonly step: string;
  /** A field, an event, or a place in data. */
  readonly name: string;
  readonly test: string;
  readonly value: string;
}

export const joins = ['all', 'any', 'notAny'] as const;
type Join = (typeof joins)[number];

const ofPerson = ['tag', 'noTag', 'field', 'firstName', 'lastName', 'event', 'created_at', 'confirmed_at'] as const;
const ofSteps = ['opened', 'notOpened', 'clicked', 'notClicked', 'waited'] as const;
type RowSubject = 'data' | 'trigger' | (typeof ofPerson)[number] | (typeof ofSteps)[number];

/** Where a rule stands: a filter may ask about the event itself, that of the start not about steps. */
export type RulePlace = 'start' | 'filter' | 'rule';

export const subjectsAt: Readonly<Record<RulePlace, readonly RowSubject[]>> = {
  start: ['data', ...ofPerson],
  filter: ['data', 'trigger', ...ofSteps, ...ofPerson],
  rule: ['trigger', ...ofSteps, ...ofPerson],
};

type Given = Readonly<Record<string, unknown>>;
const isGiven = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As many as a form shows; larger rules are written as JSON. */
export const mostRows = 10;

/** The rows of a stored rule; null when rows cannot show it: nested groups, too many conditions, or a rule on mail. */
export function rowsOf(rule: unknown): { readonly join: Join; readonly rows: readonly RuleRow[] } | null {
  if (rule === undefined) return { join: 'all', rows: [] };
  if (!isGiven(rule)) return null;
  const inner = isGiven(rule.not) && Array.isArray(rule.not.any) ? rule.not.any : null;
  const join = inner ? 'notAny' : Array.isArray(rule.any) ? 'any' : 'all';
  const leaves: unknown = inner ?? rule.any ?? rule.all ?? [rule];
  const rows = Array.isArray(leaves) ? leaves.map((leaf) => rowOf(leaf)) : [null];
  return rows.includes(null) || rows.length > mostRows ? null : { join, rows: rows.filter((row) => row !== null) };
}

const opposites: Readonly<Record<string, string>> = { equals: 'not_equals', not_equals: 'equals' };

function rowOf(leaf: unknown, isDenied = false): RuleRow | null {
  if (!isGiven(leaf)) return null;
  const row = (subject: RowSubject, name: unknown = '', step: unknown = ''): RuleRow => {
    const operator = String(leaf.operator ?? '');
    const test = isDenied ? (opposites[operator] ?? `not:${operator}`) : operator;
    const value =
      typeof leaf.value === 'string' ? leaf.value : leaf.value === undefined ? '' : JSON.stringify(leaf.value);
    return { subject, step: String(step), name: String(name), test, value };
  };
  if ('not' in leaf) return isDenied ? null : rowOf(leaf.not, true);
  if ('tag' in leaf) return { ...row(isDenied ? 'noTag' : 'tag'), value: String(leaf.tag) };
  if ('step' in leaf) {
    const isClick = leaf.mail === 'clicked';
    return row(isClick ? (isDenied ? 'notClicked' : 'clicked') : isDenied ? 'notOpened' : 'opened', '', leaf.step);
  }
  if (isGiven(leaf.waited)) return row('waited', leaf.waited.path, leaf.waited.step);
  if ('name' in leaf) return row(leaf.name === 'lastName' ? 'lastName' : 'firstName');
  if ('date' in leaf) return row(leaf.date === 'confirmed_at' ? 'confirmed_at' : 'created_at');
  const named = (['data', 'trigger', 'field', 'event'] as const).find((subject) => subject in leaf);
  return named ? row(named, leaf[named]) : null;
}

/** The rows of a posted form. */
export function rowsIn(form: URLSearchParams, name: string): RuleRow[] {
  const indices = Array.from({ length: mostRows }, (_, index) => index);
  const rows = indices.map((index): RuleRow => {
    const of = (part: string) => (form.get(`${name}.${index}.${part}`) ?? '').trim();
    return {
      subject: of('subject') as RowSubject | '',
      step: of('step'),
      name: of('name'),
      test: of('test'),
      value: of('value'),
    };
  });
  return rows.filter(({ subject }) => (subjectsAt.filter as readonly string[]).includes(subject));
}

const numeric = ['greater_than', 'less_than', 'within_last_days', 'count_at_least'];

function leafOf({ subject, step, name, test, value }: RuleRow): unknown {
  const operator = test.replace(/^not:/, '');
  const given = readValue(value);
  const isName = subject === 'firstName' || subject === 'lastName';
  const isScalar = !isName && (typeof given === 'number' || typeof given === 'boolean');
  const tested =
    operator === 'exists'
      ? { operator }
      : { operator, value: isScalar && (numeric.includes(operator) || /equals$/.test(operator)) ? given : value };
  const denied = (leaf: object) => (test.startsWith('not:') ? { not: leaf } : leaf);
  switch (subject) {
    case 'tag':
      return { tag: value };
    case 'noTag':
      return { not: { tag: value } };
    case 'opened':
    case 'clicked':
      return { step, mail: subject };
    case 'notOpened':
      return { not: { step, mail: 'opened' } };
    case 'notClicked':
      return { not: { step, mail: 'clicked' } };
    case 'waited':
      return denied({ waited: { step, path: name }, ...tested });
    case 'firstName':
    case 'lastName':
      return denied({ name: subject, ...tested });
    case 'created_at':
    case 'confirmed_at':
      return denied({ date: subject, ...tested });
    default:
      return denied({ [subject]: name, ...tested });
  }
}

/** The rule of a posted form; undefined without a condition. Throws `validation_error` for what is not JSON. */
export function ruleIn(form: URLSearchParams, name: string): unknown {
  const json = form.get(`${name}.json`);
  if (json !== null) {
    if (json.trim() === '') return undefined;
    try {
      return JSON.parse(json);
    } catch {
      throw new ValidationError([{ path: name, text: texts.notJson }]);
    }
  }
  const leaves = rowsIn(form, name).map(leafOf);
  const join = form.get(`${name}.join`);
  if (leaves.length === 0) return undefined;
  if (join === 'notAny') return { not: { any: leaves } };
  if (leaves.length === 1) return leaves[0];
  return join === 'any' ? { any: leaves } : { all: leaves };
}

const mostInWords = 4;
const longestValue = 60;

/** A rule in words; null when it has groups inside groups. */
export function ruleWords(rule: unknown, language: Language): Html | null {
  const read = rowsOf(rule);
  if (!read) return null;
  const { join, rows } = read;
  const and = html` ${(join === 'all' ? texts.and : texts.or)[language]} `;
  const words = rows
    .slice(0, mostInWords)
    .map((row, index) => html`${index > 0 ? and : null}${rowWords(row, language)}`);
  const none = join === 'notAny' ? html`${texts.none[language]} ` : null;
  return html`${none}${words}${rows.length > mostInWords ? '…' : null}`;
}

function rowWords({ subject, step, name, test, value }: RuleRow, language: Language): Html {
  const isTag = subject === 'tag' || subject === 'noTag';
  const isMail = /pened$|licked$/.test(subject);
  const known = Object.hasOwn(testTexts, test) ? testTexts[test as keyof typeof testTexts][language] : test;
  const asked = isTag || isMail ? '' : known;
  const compared = isMail || (!isTag && test.endsWith('exists')) ? '' : value;
  const code = (text: string) =>
    text === '' ? null : html` <code>${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}</code>`;
  const what = subject === '' ? '' : texts[subject][language];
  return html`${what}${step === '' ? null : html` (<code>${step}</code>)`}${code(name)}${asked === '' ? null : ` ${asked}`}${code(compared)}`;
}
