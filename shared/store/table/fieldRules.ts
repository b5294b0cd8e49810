import type { Item } from './table.ts';

/** `reply_to` under the domain's name: `replyTo`. */
type DomainName<Name extends string> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<DomainName<Rest>>}`
  : Name;

/** The type of a stored record under the names of the domain; top level only. */
export type DomainNames<Stored> = {
  [Name in keyof Stored as DomainName<Name & string>]: Stored[Name];
};

/** The attributes of a record under the names of the domain. */
export const domainNames = <Stored extends object>(record: Stored): DomainNames<Stored> =>
  renamed(record, (name) =>
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ) as DomainNames<Stored>;

/** The reverse: `Stored` is the type of the record. Undefined values are left out. */
export const storedNames = <Stored extends object>(fields: DomainNames<Stored>): Stored =>
  renamed(fields, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as Stored;

const renamed = (object: object, rename: (name: string) => string): Item =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [rename(name), value]),
  );

/** What erasure, export and display do with a stored field of a record about a person. */
export interface FieldRule {
  /** Erasure replaces the person's address by an alias everywhere. This is what it does with the field in addition. */
  readonly erasure: 'keep' | 'empty' | 'remove';
  /** In the person's export: as stored, produced by code, or not at all. */
  readonly inExport: 'whole' | 'by code' | 'never';
  /** In the API: in lists and details, in details only, or nowhere. */
  readonly shown: 'in lists' | 'in details' | 'never';
  /** Its name in JSON, if it differs from the stored name. */
  readonly as?: string;
}

/** For fields without personal data that are shown nowhere: identifiers, counters, internal times. */
export const internal = { erasure: 'keep', inExport: 'never', shown: 'never' } as const satisfies FieldRule;

/** Keys and times to live: every record has them, and erasure handles them by kind. */
type Technical = 'expires_at' | `${string}_pk` | `${string}_sk`;
const isTechnical = (name: string): boolean => /^(?:pk|sk|expires_at|\w+_[ps]k)$/.test(name);

// biome-ignore lint/complexity/noBannedTypes: only an index signature is assignable from `{}`
type IsComputed<Name extends string> = {} extends Record<Name, unknown> ? true : false;
type FieldOf<Stored> = keyof {
  [Name in keyof Stored & string as true extends IsComputed<Name> ? never : Name extends Technical ? never : Name]: 1;
};

/**
 * A rule for each field of a record: the compiler names a missing one. Computed names are given as their start and `*`.
 * A stored field without a rule counts as personal: it is removed and exported.
 */
export type FieldRules<Stored> = { readonly [Name in FieldOf<Stored>]: FieldRule } & {
  readonly [beginning: `${string}*`]: FieldRule;
};
export type AnyRules = Readonly<Record<string, FieldRule>>;

function ruleOf(rules: AnyRules, name: string): FieldRule | undefined {
  if (Object.hasOwn(rules, name)) return rules[name];
  const computed = Object.keys(rules).find((rule) => rule.endsWith('*') && name.startsWith(rule.slice(0, -1)));
  return computed === undefined ? undefined : rules[computed];
}

/** A record without the fields that erasure removes. */
export const erasedFields = (rules: AnyRules, record: Item): Item =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      const erasure = isTechnical(name) ? 'keep' : (ruleOf(rules, name)?.erasure ?? 'remove');
      if (erasure === 'remove') return [];
      return [[name, erasure === 'empty' ? emptied(value) : value]];
    }),
  );

const emptied = (value: unknown): unknown => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : null);

/** The fields of a record that an export shows as stored; those without a rule only if nobody else is in the record. */
export const exportedFields = (rules: AnyRules, record: Item, { isShared }: { readonly isShared: boolean }): Item =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      const rule = ruleOf(rules, name);
      if (isTechnical(name) || (rule ? rule.inExport !== 'whole' : isShared)) return [];
      return [[rule?.as ?? name, value]];
    }),
  );

/** The names in JSON of the fields with this rule for display. */
export type ShownNames<Rules, Shown extends FieldRule['shown']> = {
  [Name in keyof Rules & string]: Rules[Name] extends { readonly shown: Shown }
    ? Rules[Name] extends { readonly as: infer As }
      ? As
      : Name
    : never;
}[keyof Rules & string];
