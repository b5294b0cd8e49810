import * as z from 'zod';
import { inEachLanguage } from '../../language/languages.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { characterCount } from '../encoding.ts';
import type { FieldValue } from '../person/person.ts';
import type { RuleTree } from './segment.ts';

/** Rules must stay readable for people. A larger group is better marked by a tag. */
export const segmentLimits = { depth: 10, rules: 200 } as const;

const texts = textsOf({
  object: { en: 'must be an object such as {"tag": "vip"}', fr: 'doit être un objet comme {"tag": "vip"}' },
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
});

const { lead } = textsOf({ lead: { en: 'must have one of', fr: 'doit avoir l’un de ' } });

const kindText = (kinds: readonly string[]) => inEachLanguage((language) => `${lead[language]}: ${kinds.join(', ')}`);

export type RuleSchemas = Readonly<Record<string, z.ZodType>>;

const text = z.string().max(1000);
const part = text.min(1);
const fieldValue = z.custom<FieldValue>(isFieldValue, { params: { text: texts.value } });
const textTests = { contains: part, starts_with: part, exists: null };

/** By operator, the schema of `value`; null for none. */
type Tests = Readonly<Record<string, z.ZodType | null>>;

export const nameTests: Tests = { equals: text, not_equals: text, ...textTests };
/** The operators of a field, and of any other value that is compared like one. */
export const fieldTests: Tests = {
  ...{ equals: fieldValue, not_equals: fieldValue, ...textTests },
  ...{ greater_than: z.number(), less_than: z.number() },
};
export const ruleFieldName = z
  .string()
  .refine((name) => /^[A-Za-z0-9_]{1,64}$/.test(name), { params: { text: texts.fieldName } });

/**
 * A parser of trees of these simple rules, each named by the key that only its objects have; where an object has several of
 * them, the first in this order. Issues have the path and the reason of every problem.
 */
export function ruleParser<Leaf extends object>(leaves: RuleSchemas): z.ZodType<RuleTree<Leaf>> {
  const children = z.array(z.lazy(() => anyRule)).min(1);
  const kinds: RuleSchemas = {
    all: z.strictObject({ all: children }),
    any: z.strictObject({ any: children }),
    not: z.strictObject({ not: z.lazy(() => anyRule) }),
    ...leaves,
  };
  const names = Object.keys(kinds);
  const anyRule: z.ZodType = chosen(
    (rule) => names.find((kind) => Object.hasOwn(rule, kind)),
    kinds,
    (rule) => customIssue(kindText(names), [], rule),
  );
  return z
    .unknown()
    .superRefine((rule, context) => {
      const problem = sizeProblem(rule);
      if (problem) context.addIssue({ ...customIssue(problem), continue: false });
    })
    .pipe(anyRule) as z.ZodType<RuleTree<Leaf>>;
}

/** A simple rule: its subject, and by operator the schema of `value`. */
export function testedRule(subject: RuleSchemas, tests: Tests): z.ZodType {
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
  schemas: RuleSchemas,
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
