import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { characterCount } from '../encoding.ts';
import type { FieldValue } from '../person/person.ts';
import type { SegmentRule } from './segment.ts';

/** Rules must stay readable for people. A larger group is better marked by a tag. */
export const segmentLimits = { depth: 10, rules: 200 } as const;

const texts = textsOf({
  object: { en: 'must be an object such as {"tag": "vip"}', fr: 'doit être un objet comme {"tag": "vip"}' },
  kind: {
    en: 'must have one of: all, any, not, tag, name, field, date',
    fr: 'doit avoir l’un de : all, any, not, tag, name, field, date',
  },
  depth: {
    en: `must not be nested more than ${segmentLimits.depth} levels deep`,
    fr: `ne doit pas être imbriquée sur plus de ${segmentLimits.depth} niveaux`,
  },
  rules: {
    en: `must not contain more than ${segmentLimits.rules} rules`,
    fr: `ne doit pas contenir plus de ${segmentLimits.rules} règles`,
  },
  fieldName: {
    en: 'must be a field name: 1 to 64 of A-Z a-z 0-9 _',
    fr: 'doit être le nom d’un champ : 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  value: {
    en: 'must be a string of at most 1000 characters, a number or a boolean',
    fr: 'doit être une chaîne d’au plus 1000 caractères, un nombre ou un booléen',
  },
  moment: {
    en: 'must be a date such as 2026-11-21 or a time such as 2026-11-21T10:30:00Z',
    fr: 'doit être une date comme 2026-11-21 ou une heure comme 2026-11-21T10:30:00Z',
  },
});

type Schemas = Readonly<Record<string, z.ZodType>>;

const text = z.string().max(1000);
const part = text.min(1);
const fieldName = z.string().refine((name) => /^[A-Za-z0-9_]{1,64}$/.test(name), { params: { text: texts.fieldName } });
const fieldValue = z.custom<FieldValue>(isFieldValue, { params: { text: texts.value } });
const moment = z.string().refine(isMoment, { params: { text: texts.moment } });

const textTests = { contains: part, starts_with: part, exists: null };

/** The schemas of simple rules: the subject, and by operator the schema of `value`. */
const leaves = {
  name: leaf({ name: z.enum(['firstName', 'lastName']) }, { equals: text, not_equals: text, ...textTests }),
  field: leaf(
    { field: fieldName },
    { equals: fieldValue, not_equals: fieldValue, ...textTests, greater_than: z.number(), less_than: z.number() },
  ),
  date: leaf(
    { date: z.enum(['created_at', 'confirmed_at']) },
    { before: moment, after: moment, within_last_days: z.int().min(1).max(36_500) },
  ),
};

const children = z.array(z.lazy(() => anyRule)).min(1);
const kinds: Schemas = {
  all: z.strictObject({ all: children }),
  any: z.strictObject({ any: children }),
  not: z.strictObject({ not: z.lazy(() => anyRule) }),
  tag: z.strictObject({ tag: z.string().min(1).max(64) }),
  ...leaves,
};

const anyRule: z.ZodType = chosen(
  (rule) => Object.keys(kinds).find((kind) => Object.hasOwn(rule, kind)),
  kinds,
  (rule) => customIssue(texts.kind, [], rule),
);

/** A segment rule in JSON. Issues have the path and the reason of every problem. */
export const segmentRule = z
  .unknown()
  .superRefine((rule, context) => {
    const problem = sizeProblem(rule);
    if (problem) context.addIssue({ ...customIssue(problem), continue: false });
  })
  .pipe(anyRule) as z.ZodType<SegmentRule>;

function leaf(subject: Schemas, tests: Readonly<Record<string, z.ZodType | null>>): z.ZodType {
  const schemas = Object.entries(tests).map(([operator, value]) => [
    operator,
    z.strictObject({ ...subject, operator: z.literal(operator), ...(value ? { value } : {}) }),
  ]);
  return chosen(
    (rule) => rule.operator,
    Object.fromEntries(schemas),
    (rule) =>
      'operator' in rule
        ? { code: 'invalid_value', values: Object.keys(tests), path: ['operator'], input: rule }
        : { code: 'invalid_type', expected: 'string', path: ['operator'], input: undefined },
  );
}

/** Parses an object with the schema that it selects: a union would report the problems of all other schemas as well. */
function chosen(
  choose: (rule: Readonly<Record<string, unknown>>) => unknown,
  schemas: Schemas,
  otherwise: (rule: object) => z.core.$ZodRawIssue,
): z.ZodType {
  return z.unknown().transform((value, context) => {
    const refuse = (...issues: z.core.$ZodRawIssue[]) => {
      context.issues.push(...issues);
      return z.NEVER;
    };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(customIssue(texts.object, [], value));
    const rule = value as Readonly<Record<string, unknown>>;
    const choice = choose(rule);
    const schema = typeof choice === 'string' && Object.hasOwn(schemas, choice) ? schemas[choice] : undefined;
    if (!schema) return refuse(otherwise(rule));
    const result = schema.safeParse(rule, { reportInput: true });
    return result.success ? result.data : refuse(...(result.error.issues as z.core.$ZodRawIssue[]));
  });
}

function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' ? characterCount(value) <= 1000 : ['number', 'boolean'].includes(typeof value);
}

/** A date without a time means midnight UTC at its start. */
function isMoment(value: string): boolean {
  return [z.iso.date(), z.iso.datetime({ offset: true })].some((schema) => schema.safeParse(value).success);
}

/** Checks depth and size without recursion, before the recursive parser runs. */
function sizeProblem(rule: unknown) {
  const open = [{ rule, depth: 1 }];
  let rules = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    rules += 1;
    if (next.depth > segmentLimits.depth) return texts.depth;
    if (rules + open.length > segmentLimits.rules) return texts.rules;
    for (const child of childrenOf(next.rule)) open.push({ rule: child, depth: next.depth + 1 });
  }
  return null;
}

function childrenOf(rule: unknown): unknown[] {
  if (typeof rule !== 'object' || rule === null) return [];
  const { all, any, not } = rule as Record<string, unknown>;
  const lists = [all, any].filter((list) => Array.isArray(list)).flat();
  return not === undefined ? lists : [...lists, not];
}
