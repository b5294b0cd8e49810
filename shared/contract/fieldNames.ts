import * as z from 'zod';
import { canonicalJson } from '../domain/encoding.ts';
import { fieldSpelled, formsOf, longestName, notRead, partsOf, unknownField } from '../language/spelling.ts';
import type { Text } from '../language/text.ts';
import { type Issue, issuesOf, ValidationError } from './errors.ts';

/** Reserved names that a caller may use for `field`. Ignoring them would change what the call does. */
export interface ReservedNames {
  /** The field or path that the text names. */
  readonly field: string;
  /** Compared in any spelling. A name made of several of these words is reserved too. */
  readonly words: readonly string[];
  readonly text: Text;
}

/** What happens to the fields of a body that its schema does not have. */
export interface NameRules {
  readonly unknown: 'refused' | 'ignored';
  /** Whether other spellings of a field's name are accepted. */
  readonly takesSpellings?: boolean;
  /** Names that are ignored even where unknown names are refused: other services have them. */
  readonly ignored?: readonly string[];
  /** Refused even where unknown names are ignored. */
  readonly reserved?: readonly ReservedNames[];
}

const rulesOfSchemas = z.registry<NameRules>();

/** A response with more refused names would be too large. */
const maxRefused = 1000;

/** Names of ignored fields that a refused call is told. */
const maxNotRead = 20;

/** Gives a schema its rules for names. It must be the last step: a schema derived from it has none. */
export function withNameRules<T extends z.ZodType>(schema: T, rules: NameRules): T {
  rulesOfSchemas.add(schema, rules);
  return schema;
}

/** The rules of a schema, and the names of its fields; null for a schema that ignores unknown fields. */
export function nameRulesOf(schema: z.ZodType): { readonly rules: NameRules; readonly known: string[] } | null {
  const rules = rulesOfSchemas.get(schema);
  return rules ? { rules, known: fieldNamesOf(schema) } : null;
}

/** The names of the fields of a schema; none for one that is no object. */
export const fieldNamesOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** The fields of a body under the names of its schema. */
export interface ReadNames {
  readonly fields: Record<string, unknown>;
  readonly issues: readonly Issue[];
  /** Names that are not read. */
  readonly ignored: readonly string[];
}

/** Applies the rules of a schema to the names of a body, before the schema checks the values. */
export function readNames(schema: z.ZodType, given: Record<string, unknown>): ReadNames {
  const own = nameRulesOf(schema);
  if (!own) return { fields: given, issues: [], ignored: [] };
  const { rules, known } = own;
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return { fields: given, issues: [], ignored: [] };
  const isSpelling = (name: string) => rules.takesSpellings === true && fieldSpelled(name, known) !== undefined;
  const spellings = unknown.filter(isSpelling);
  const others = spellings.length > 0 ? unknown.filter((name) => !isSpelling(name)) : unknown;
  const direct = nameIssues({ ...rules, known }, others);
  const issues = [...direct, ...(rules.unknown === 'ignored' ? wrappedIssues(given, others, rules.reserved) : [])];
  const refused = new Set(issues.map(({ path }) => path.split('.')[0]));
  const { fields, differing } = withSpellings(given, known, spellings);
  return { fields, issues: [...issues, ...differing], ignored: others.filter((name) => !refused.has(name)) };
}

/** That names of a refused call were not read either: one of them may be the misspelt field that is missing. */
export function notReadIssues(schema: z.ZodType, ignored: readonly string[]): Issue[] {
  const known = nameRulesOf(schema)?.known ?? [];
  return ignored.slice(0, maxNotRead).map((path) => ({ path, text: notRead(path, known) }));
}

/** Validates a body as the API does. Throws `ValidationError`. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const names = isObject ? readNames(schema, value as Record<string, unknown>) : { fields: value, issues: [] };
  const parsed = schema.safeParse(names.fields, { reportInput: true });
  const issues = [...names.issues, ...(parsed.error ? issuesOf(parsed.error) : [])];
  if (!parsed.success || issues.length > 0) throw new ValidationError(issues);
  return parsed.data;
}

/** The issues of names that are refused although the schema does not have them. */
export function nameIssues(
  { unknown, ignored = [], reserved = [], known }: NameRules & { readonly known: readonly string[] },
  names: readonly string[],
): Issue[] {
  const isRefusing = unknown === 'refused';
  return (isRefusing ? names.slice(0, maxRefused) : names).flatMap((path): Issue[] => {
    const family = familyOf(path, reserved);
    if (family) return [{ path, text: family.text }];
    return isRefusing && !ignored.includes(path) ? [{ path, text: unknownField(path, known) }] : [];
  });
}

/** The limits on depth and number of names that are searched in values of unknown fields. */
const [deepestWrap, maxWrapped] = [4, 1000];

/** Reserved names inside the values of unknown fields: `{"options": {"dry_run": true}}` means the same. */
function wrappedIssues(
  given: Record<string, unknown>,
  names: readonly string[],
  reserved: readonly ReservedNames[] = [],
): Issue[] {
  if (reserved.length === 0) return [];
  const issues: Issue[] = [];
  const wraps = names.map((name) => ({ path: name, value: given[name], depth: 1 }));
  let looked = 0;
  for (const { path, value, depth } of wraps) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      looked += 1;
      if (looked > maxWrapped) return issues;
      const at = `${path}.${name}`;
      const family = Array.isArray(value) ? undefined : familyOf(name, reserved);
      if (family) issues.push({ path: at, text: family.text });
      else if (depth < deepestWrap) wraps.push({ path: at, value: inner, depth: depth + 1 });
    }
  }
  return issues;
}

/** Moves the values of other spellings to their fields. Two different values for one field are a problem. */
function withSpellings(given: Record<string, unknown>, known: readonly string[], spellings: readonly string[]) {
  const own = known.filter((name) => Object.hasOwn(given, name));
  const fields = new Map<string, unknown>(own.map((name) => [name, given[name]]));
  const differing: Issue[] = [];
  for (const name of spellings) {
    const field = fieldSpelled(name, known) ?? name;
    const [before, value] = [fields.get(field) ?? undefined, given[name] ?? undefined];
    if (before === undefined) fields.set(field, given[name]);
    else if (value !== undefined && canonicalJson(before) !== canonicalJson(value)) {
      differing.push({ path: name, text: twoValues(name, field) });
    }
  }
  return { fields: Object.fromEntries(fields), differing };
}

const twoValues = (name: string, field: string): Text => ({
  en: `"${name}" and "${field}" are both given and differ`,
  fr: `« ${name} » et « ${field} » sont donnés tous les deux et diffèrent`,
});

/** Words that mean nothing alone but do next to a reserved one: `segment_name`, `send_test`, `list_ids`. */
const companions =
  'id name is no not do my the in on at as for of by send run start delivery size second minute hour day utc'.split(
    ' ',
  );

const families = new WeakMap<readonly ReservedNames[], ReadonlyMap<string, ReservedNames>>();

/** Reserved fields by each form of their words; earlier ones take precedence. */
function formsOfFamilies(reserved: readonly ReservedNames[]): ReadonlyMap<string, ReservedNames> {
  const found = families.get(reserved);
  if (found) return found;
  const pairs = reserved.flatMap((family) =>
    family.words.flatMap((word) => formsOf(word).map((form) => [form, family] as const)),
  );
  const forms = new Map(pairs.reverse());
  families.set(reserved, forms);
  return forms;
}

function familyOf(name: string, reserved: readonly ReservedNames[]): ReservedNames | undefined {
  const forms = formsOfFamilies(reserved);
  const familyNamed = (word: string) => forms.get(formsOf(word).find((form) => forms.has(form)) ?? '');
  const whole = familyNamed(name);
  if (whole || name.length > longestName) return whole;
  const parts = partsOf(name);
  if (parts.length < 2) return undefined;
  const found = parts.map(familyNamed);
  const isMeant = parts.every(
    (part, index) => found[index] || /^\d+$/.test(part) || fieldSpelled(part, companions) !== undefined,
  );
  return isMeant ? reserved.find((family) => found.includes(family)) : undefined;
}
