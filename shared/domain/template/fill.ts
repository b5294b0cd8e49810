import { type Text, textsOf } from '../../language/text.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from '../campaign/content/link.ts';
import { onOneLine } from '../campaign/content/mergeField.ts';
import { escapeHtml } from '../campaign/render/template.ts';
import { substitute } from '../campaign/render/templateData.ts';
import type { DeclaredVariable, Place, TemplateMessage } from './template.ts';
import { unsubscribeVariable } from './template.ts';

export type VariableValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is wrong with the value of a variable, or that there is none. */
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
    en: 'is required: the template uses it and has no fallback for it',
    fr: 'est obligatoire : le modèle l’utilise et n’a pas de valeur de repli pour elle',
  },
  number: { en: 'must be a number', fr: 'doit être un nombre' },
});

/**
 * A template with the values of one send, each on one line: escaped in HTML, an address of a harmless kind where a link
 * or an image leads, percent-encoded within one. Tells by name every value that is missing or cannot stand where it is.
 */
export function fillTemplate(message: TemplateMessage, values: VariableValues): FilledTemplate {
  const declared = new Map(message.declared.map((variable) => [variable.key, variable]));
  const problems = new Map<string, Text>();
  for (const { key, type } of message.declared) {
    const given = givenValue(values, key);
    if (type === 'number' && given !== undefined && typeof given !== 'number') problems.set(key, texts.number);
  }
  const data: Record<string, string> = {};
  for (const place of message.places) {
    const filled = filledPlace(place, values, declared);
    if (filled.ok) data[place.name] = filled.text;
    else if (!problems.has(filled.key)) problems.set(filled.key, filled.problem);
  }
  if (problems.size > 0) return { ok: false, problems: [...problems].map(([key, text]) => ({ key, text })) };
  const part = (text: string | null) => (text === null ? null : substitute(text, data));
  return { ok: true, subject: part(message.subject), html: part(message.html), text: part(message.text) };
}

type Filled =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly key: string; readonly problem: Text };

function filledPlace(place: Place, values: VariableValues, declared: ReadonlyMap<string, DeclaredVariable>): Filled {
  const { source, part, as } = place;
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

/** The value; where it is empty, what the place or the declaration says instead. Null when nobody said anything. */
function textOf(
  given: string | number | boolean | undefined,
  ofPlace: string,
  declared: string | number | null,
): string | null {
  const value = onOneLine(given);
  if (value !== '') return value;
  if (ofPlace !== '') return ofPlace;
  return given === undefined && declared === null ? null : onOneLine(declared);
}

const givenValue = (values: VariableValues, key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
