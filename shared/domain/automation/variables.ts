import { readMergeFields } from '../content/messageTemplate.ts';
import type { FieldValue } from '../person/person.ts';

/** A place in the data of an event: `amount`, `order.total`, `items.0.name`. */
export type DataPath = string;

export const dataPath = /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,5}$/;

/** The form of a variable that is a value of the start. */
export const startVariable = `^event\\.${dataPath.source.slice(1)}`;

/** The value at a place; undefined when there is none. Inherited properties are none. */
export function valueAt(data: unknown, path: DataPath): unknown {
  let value = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/**
 * Where `{"var": "…"}` and `{{…}}` take a value from: `event.order_id` (the data of the start), `contact.email`,
 * `contact.fields.city`, `steps.paid.event.amount` (the event that ended a wait).
 */
export type VariableOrigin =
  | { readonly from: 'event'; readonly path: string }
  | { readonly from: 'contact'; readonly name: 'email' | 'firstName' | 'lastName' }
  | { readonly from: 'field'; readonly name: string }
  | { readonly from: 'step'; readonly key: string; readonly path: string };

const contactNames: Readonly<Record<string, 'email' | 'firstName' | 'lastName'>> = {
  email: 'email',
  firstName: 'firstName',
  lastName: 'lastName',
  first_name: 'firstName',
  last_name: 'lastName',
};

/** Null for a name of no such form. */
export function variableOrigin(name: string): VariableOrigin | null {
  const [, step, ofStep] = /^steps\.([A-Za-z0-9_-]{1,64})\.event\.(.+)$/.exec(name) ?? [];
  if (step !== undefined && ofStep !== undefined) {
    return dataPath.test(ofStep) ? { from: 'step', key: step, path: ofStep } : null;
  }
  const [, source, path = ''] = /^(event|contact)\.(.+)$/.exec(name) ?? [];
  if (source === 'event') return dataPath.test(path) ? { from: 'event', path } : null;
  if (source !== 'contact') return null;
  const contact = Object.hasOwn(contactNames, path) ? contactNames[path] : undefined;
  if (contact !== undefined) return { from: 'contact', name: contact };
  const [, field] = /^(?:fields|properties)\.([A-Za-z0-9_]{1,64})$/.exec(path) ?? [];
  return field === undefined ? null : { from: 'field', name: field };
}

/** What variables are taken from. */
export interface VariableFacts {
  readonly contact: {
    readonly email: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly fields: Readonly<Record<string, FieldValue>>;
  };
  /** The data of the start. */
  readonly data: unknown;
  /** By step, the data of the event that ended its wait. */
  readonly waited: Readonly<Record<string, unknown>>;
}

/** The value of a variable; undefined when there is none, `null` and the empty text among them. */
export function variableValue(name: string, { contact, data, waited }: VariableFacts): unknown {
  const origin = variableOrigin(name);
  const value = origin && valueFrom(origin);
  return value === null || value === '' ? undefined : value;

  function valueFrom(from: VariableOrigin): unknown {
    if (from.from === 'event') return valueAt(data, from.path);
    if (from.from === 'contact') return contact[from.name];
    if (from.from === 'field') return valueAt(contact.fields, from.name);
    return Object.hasOwn(waited, from.key) ? valueAt(waited[from.key], from.path) : undefined;
  }
}

/** A value with its variables filled in, and the names of those without a value. */
export interface Filled<Value = unknown> {
  readonly value: Value;
  readonly missing: readonly string[];
}

const isVariable = (value: object): value is { readonly var: string } =>
  Object.keys(value).length === 1 && 'var' in value && typeof value.var === 'string';

/** Fills in each `{"var": …}` of a value, however deep, and leaves its texts as they are. */
export function fillValues(given: unknown, facts: VariableFacts): Filled {
  const missing = new Set<string>();
  const fill = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    if (!isVariable(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
    const found = variableValue(value.var, facts);
    if (found === undefined) missing.add(value.var);
    return found ?? null;
  };
  return { value: fill(given), missing: [...missing] };
}

/** Fills in the merge fields of a text of one line, such as a subject: those without a value have their fallback. */
export function fillText(text: string, facts: VariableFacts): Filled<string> {
  const missing = new Set<string>();
  const parts = readMergeFields(text, 'variables').parts.map((part) => {
    if (typeof part === 'string') return part;
    const name = part.source.kind === 'variable' ? part.source.name : '';
    const value = variableValue(name, facts);
    if (value !== undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (part.fallback === '') missing.add(name);
    return part.fallback;
  });
  return { value: parts.join(''), missing: [...missing] };
}

/** The names of the variables in a value, those of merge fields in its texts only where it is a text itself. */
export function variablesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return readMergeFields(value, 'variables').parts.flatMap((part) =>
      typeof part !== 'string' && part.source.kind === 'variable' ? [part.source.name] : [],
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  if (isVariable(value)) return [value.var];
  return Object.values(value).flatMap((one) => (typeof one === 'string' ? [] : variablesIn(one)));
}
