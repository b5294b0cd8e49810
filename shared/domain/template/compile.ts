import type { Language } from '../../language/languages.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { type MergeField, readMergeFields } from '../campaign/content/mergeField.ts';
import { type ContentProblem, readContent } from '../campaign/content/readContent.ts';
import { lineOf, renderTemplate } from '../campaign/render/render.ts';
import { TemplateWriter } from '../campaign/render/template.ts';
import { HtmlPosition } from './htmlPlace.ts';
import type { DeclaredVariable, Place, TemplateMessage, TemplateSource } from './template.ts';
import { unsubscribeVariable } from './template.ts';

export type CompiledTemplate =
  | { readonly ok: true; readonly message: TemplateMessage }
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

const texts = textsOf({
  both: {
    en: '"content" and "html" or "text" are both given: write the body in one way',
    fr: '« content » et « html » ou « text » sont donnés tous deux : écrivez le corps d’une seule façon',
  },
  none: {
    en: 'one of "html", "text" and "content" is required',
    fr: 'l’un de « html », « text » et « content » est obligatoire',
  },
  twice: { en: 'is declared twice', fr: 'est déclarée deux fois' },
  preheader: {
    en: 'is written into the HTML of "content" only',
    fr: 'n’est écrit que dans le HTML de « content »',
  },
});

const misplaced = (name: string): Text => ({
  en: `"{{${name}}}" stands where no escaping would make a value harmless: a place is text, or in quotes in href, src, alt, title and the like`,
  fr: `« {{${name}}} » se trouve là où aucun échappement ne rendrait une valeur inoffensive : une place est du texte, ou entre guillemets dans href, src, alt, title et semblables`,
});

/** Renders what an author wrote, once for all sends, or tells everything that is wrong with it. */
export function compileTemplate(
  source: TemplateSource,
  frame: { readonly workspaceName: string; readonly language: Language },
): CompiledTemplate {
  const problems = problemsOf(source);
  const message = source.blocks === null ? written(source, problems) : rendered(source, frame, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, message };
}

function problemsOf({ subject, preheader, html, text, blocks, variables }: TemplateSource): ContentProblem[] {
  const problems: ContentProblem[] = [];
  if (blocks !== null && (html !== null || text !== null)) problems.push({ path: ['content'], text: texts.both });
  if (blocks === null && !html && !text) problems.push({ path: ['html'], text: texts.none });
  if (blocks === null && preheader !== null) problems.push({ path: ['preheader'], text: texts.preheader });
  for (const [name, value] of Object.entries({ subject, preheader, html, text })) {
    for (const problem of readMergeFields(simple(value ?? ''), 'variables').problems)
      problems.push({ path: [name], text: problem.text });
  }
  for (const [index, { key }] of variables.entries()) {
    if (variables.findIndex((other) => other.key === key) < index)
      problems.push({ path: ['variables', index, 'key'], text: texts.twice });
  }
  return problems;
}

/** Three braces, as other services write a value that they do not escape, are two: it is escaped. */
const simple = (text: string): string => text.replace(/\{\{\{([^{}\r\n]*)\}\}\}/g, '{{$1}}');

function written({ subject, html, text, variables }: TemplateSource, problems: ContentProblem[]): TemplateMessage {
  const writer = new TemplateWriter();
  const lineIn = (part: 'subject' | 'text', value: string | null) =>
    value === null ? null : lineOf(readMergeFields(simple(value), 'variables'), part, writer);
  const places: Place[] = [];
  const message = { subject: lineIn('subject', subject), text: lineIn('text', text), declared: variables };
  places.push(...writer.variables);
  return { ...message, html: html === null ? null : htmlOf(simple(html), places, problems), places };
}

/** HTML as it was written, with a placeholder for each value and what it has to be there. */
function htmlOf(html: string, places: Place[], problems: ContentProblem[]): string {
  const position = new HtmlPosition();
  const pieces = readMergeFields(html, 'variables').parts.map((piece) => {
    if (typeof piece === 'string') {
      position.read(piece);
      return piece;
    }
    const { place } = position;
    if (place === 'forbidden') problems.push({ path: ['html'], text: misplaced(variableOf(piece)) });
    position.skipValue();
    if (variableOf(piece) === unsubscribeVariable) return `{{${unsubscribeVariable}}}`;
    const name = `h${places.length}`;
    const as = place === 'link' || place === 'image' || place === 'component' ? place : undefined;
    places.push({ name, part: 'html', source: { kind: 'merge', field: piece }, ...(as && { as }) });
    return `{{${name}}}`;
  });
  return pieces.join('');
}

const variableOf = ({ source }: MergeField): string => (source.kind === 'variable' ? source.name : source.kind);

function rendered(
  { subject, preheader, blocks, variables }: TemplateSource,
  frame: { readonly workspaceName: string; readonly language: Language },
  problems: ContentProblem[],
): TemplateMessage {
  const { blocks: read, problems: found } = readContent(blocks ?? [], 'variables');
  problems.push(...found.map(({ path, text }) => ({ path: ['content', ...path], text })));
  const { variables: places, ...message } = renderTemplate(
    { subject: subject ?? '', preheader, blocks: read },
    { ...frame, toSubscribers: false, names: 'variables' },
  );
  return {
    subject: subject === null ? null : message.subject,
    html: message.html,
    text: message.text,
    places,
    declared: variables,
  };
}

/** Every variable of a template: those that were declared, and those that its text names besides. */
export function variablesOf({ variables, subject, preheader, html, text, blocks }: TemplateSource): DeclaredVariable[] {
  const all = new Map(variables.map((variable) => [variable.key, variable]));
  const written = [subject, preheader, html, text, ...textsIn(blocks)];
  for (const field of written.flatMap((value) => readMergeFields(simple(value ?? ''), 'variables').parts)) {
    const key = typeof field === 'string' ? unsubscribeVariable : variableOf(field);
    if (key !== unsubscribeVariable && !all.has(key)) all.set(key, { key, type: 'string', fallback: null });
  }
  return [...all.values()];
}

/** Every string in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
