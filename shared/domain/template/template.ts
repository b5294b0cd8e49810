import { type Text, textsOf } from '../../language/text.ts';
import type { Block } from '../content/block.ts';
import { escapeHtml, type MessageTemplate, onOneLine, substitute } from '../content/messageTemplate.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from '../webAddress.ts';

/** A variable that the author declared. Any other variable in the text is a string without a fallback. */
export interface DeclaredVariable {
  readonly key: string;
  readonly type: 'string' | 'number';
  /** Used when a send gives no value. Null: a send must give one, unless the use in the text has its own fallback. */
  readonly fallback: string | number | null;
}

/** A template as written: either `blocks`, or `html` and `text`. */
export interface TemplateSource {
  readonly subject: string | null;
  readonly preheader: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly blocks: readonly Block[] | null;
  readonly variables: readonly DeclaredVariable[];
}

/** A rendered template, with slots for the values of a send. */
export interface TemplateMessage {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly places: readonly ValueSlot[];
  readonly declared: readonly DeclaredVariable[];
}

/** Where a value goes. `as`: the start of an address (`link`, `image`) or a later part of one (`component`). */
export type ValueSlot = MessageTemplate['variables'][number] & { readonly as?: 'link' | 'image' | 'component' };

/** The record of a template. Its content is stored apart. */
export interface Template {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly subject: string | null;
  /** The number of the content's version, from 1. */
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The version of a template that an email or a campaign was made from. */
export interface TemplateVersion {
  readonly id: string;
  readonly version: number;
}

/** The variable for the unsubscribe link. It is filled for each recipient when the email is sent. */
export const unsubscribeVariable = 'unsubscribe_url';

export const unknownTemplate: Text = {
  en: 'there is no such template in this workspace',
  fr: 'ce modèle n’existe pas dans cet espace',
};

export type VariableValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** A missing or invalid value of a variable. */
interface VariableProblem {
  readonly key: string;
  readonly text: Text;
}

export type FilledTemplate =
  | {
      readonly ok: true;
      readonly subject: string | null;
      readonly html: string | null;
      readonly text: string | null;
    }
  | { readonly ok: false; readonly problems: readonly VariableProblem[] };

const texts = textsOf({
  missing: {
    en: 'is required: the template uses it without a fallback',
    fr: 'est obligatoire : le modèle l’utilise sans valeur par défaut',
  },
  number: { en: 'must be a number', fr: 'doit être un nombre' },
});

/**
 * Fills a template with the values of one send. Values are escaped in HTML, must be safe addresses in links and images,
 * and are percent-encoded inside an address. Names every missing or invalid value.
 */
export function fillTemplate(message: TemplateMessage, values: VariableValues): FilledTemplate {
  const declared = new Map(message.declared.map((variable) => [variable.key, variable]));
  const problems = new Map<string, Text>();
  for (const { key, type } of message.declared) {
    const given = givenValue(values, key);
    if (type === 'number' && given !== undefined && typeof given !== 'number') problems.set(key, texts.number);
  }
  const data: Record<string, string> = {};
  for (const slot of message.places) {
    const filled = filledSlot(slot, values, declared);
    if (filled.ok) data[slot.name] = filled.text;
    else if (!problems.has(filled.key)) problems.set(filled.key, filled.problem);
  }
  if (problems.size > 0) return { ok: false, problems: [...problems].map(([key, text]) => ({ key, text })) };
  const part = (text: string | null) => (text === null ? null : substitute(text, data));
  return { ok: true, subject: part(message.subject), html: part(message.html), text: part(message.text) };
}

type FilledSlot =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly key: string; readonly problem: Text };

function filledSlot(
  slot: ValueSlot,
  values: VariableValues,
  declared: ReadonlyMap<string, DeclaredVariable>,
): FilledSlot {
  const { source, part, as } = slot;
  if (source.kind === 'constant') return { ok: true, text: part === 'html' ? escapeHtml(source.text) : source.text };
  if (source.kind === 'unsubscribe' || source.field.source.kind !== 'variable') throw new Error('Not of a template.');
  const { name: key } = source.field.source;
  if (key === unsubscribeVariable) return { ok: true, text: `{{${key}}}` };
  const text = textOf(givenValue(values, key), source.field.fallback, declared.get(key)?.fallback ?? null);
  if (text === null) return { ok: false, key, problem: texts.missing };
  if (part !== 'html') return { ok: true, text };
  if (as === undefined) return { ok: true, text: escapeHtml(text) };
  if (as === 'component') return { ok: true, text: escapeHtml(encodeURIComponent(text)) };
  const target: LinkTarget = as === 'image' ? readImageSource(text) : readLinkTarget(text);
  return target.ok ? { ok: true, text: escapeHtml(text) } : { ok: false, key, problem: target.problem };
}

/** The given value, else the fallback of the slot, else the declared one; null when there is none. */
function textOf(
  given: string | number | boolean | undefined,
  ofSlot: string,
  declared: string | number | null,
): string | null {
  const value = onOneLine(given);
  if (value !== '') return value;
  if (ofSlot !== '') return ofSlot;
  return given === undefined && declared === null ? null : onOneLine(declared);
}

const givenValue = (values: VariableValues, key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);

/** `{{name}}` without its own fallback. */
const bare = /\{\{\s*([A-Za-z][A-Za-z0-9_.-]{0,63})\s*(?:\|\s*)?\}\}/g;

/** The content with declared fallbacks written into its merge fields: campaigns have no declarations. */
export function withFallbacks<T>(value: T, variables: readonly DeclaredVariable[]): T {
  const declared = new Map(variables.map(({ key, fallback }) => [key, fallback]));
  const inText = (text: string) =>
    text.replace(bare, (field, name: string) => {
      const fallback = declared.get(name) ?? '';
      return fallback === '' ? field : `{{${name}|${fallback}}}`;
    });
  return changed(value, inText) as T;
}

function changed(value: unknown, inText: (text: string) => string): unknown {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map((entry) => changed(entry, inText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, changed(entry, inText)]));
}
