import { type Text, textsOf } from '../../language/text.ts';
import { type MergeField, readMergeFields, TemplateWriter } from '../content/messageTemplate.ts';
import { type ContentProblem, readContent } from '../content/readContent.ts';
import { lineOf, type RenderOptions, renderTemplate } from '../content/render.ts';
import { HtmlPosition } from './internal/htmlContext.ts';
import {
  type DeclaredVariable,
  type TemplateMessage,
  type TemplateSource,
  unsubscribeVariable,
  type ValueSlot,
} from './template.ts';

export type CompiledTemplate =
  | { readonly ok: true; readonly message: TemplateMessage }
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

const texts = textsOf({
  both: {
    en: 'give the body either as "content", or as "html" and "text", but not both',
    fr: 'donnez le corps soit par « content », soit par « html » et « text », mais pas les deux',
  },
  none: {
    en: 'one of "html", "text" and "content" is required',
    fr: 'l’un de « html », « text » et « content » est obligatoire',
  },
  twice: { en: 'is declared twice', fr: 'est déclarée deux fois' },
  preheader: {
    en: 'is only possible with "content"',
    fr: 'n’est possible qu’avec « content »',
  },
});

const unsafePosition = (name: string): Text => ({
  en: `"{{${name}}}" is where no escaping can make a value safe: use variables in text, or in quoted attributes such as href, src, alt and title`,
  fr: `« {{${name}}} » se trouve là où aucun échappement ne peut rendre une valeur sûre : utilisez les variables dans le texte, ou dans des attributs entre guillemets comme href, src, alt et title`,
});

/** Renders a template once for all sends, or returns all its problems. */
export function compileTemplate(source: TemplateSource, frame: RenderOptions): CompiledTemplate {
  const problems = [...bodyProblems(source, { isWhole: true }), ...templateProblems(source)];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, message: source.blocks === null ? written(source) : rendered(source, frame) };
}

/**
 * Problems across the parts of a template. `isWhole`: nothing is kept from an earlier version, so a body is required.
 */
export function bodyProblems(
  { preheader, html, text, blocks }: TemplateSource,
  { isWhole }: { readonly isWhole: boolean },
): ContentProblem[] {
  const problems: ContentProblem[] = [];
  if (blocks !== null && (html !== null || text !== null)) problems.push({ path: ['content'], text: texts.both });
  if (isWhole && blocks === null && !html && !text) problems.push({ path: ['html'], text: texts.none });
  if (blocks === null && preheader !== null) problems.push({ path: ['preheader'], text: texts.preheader });
  return problems;
}

/** Problems of each part of a template alone. */
export function templateProblems({
  subject,
  preheader,
  html,
  text,
  blocks,
  variables,
}: TemplateSource): ContentProblem[] {
  const problems: ContentProblem[] = [];
  for (const [name, value] of Object.entries({ subject, preheader, html, text })) {
    for (const problem of readMergeFields(simple(value ?? ''), 'variables').problems)
      problems.push({ path: [name], text: problem.text });
  }
  for (const [index, { key }] of variables.entries()) {
    if (variables.findIndex((other) => other.key === key) < index)
      problems.push({ path: ['variables', index, 'key'], text: texts.twice });
  }
  const { unsafe } = htmlOf(simple(html ?? ''), []);
  for (const name of unsafe) problems.push({ path: ['html'], text: unsafePosition(name) });
  for (const problem of readContent(blocks ?? [], 'variables').problems) {
    problems.push({ path: ['content', ...problem.path], text: problem.text });
  }
  return problems;
}

/** Triple braces, which other services do not escape, count as double ones: every value is escaped. */
const simple = (text: string): string => text.replace(/\{\{\{([^{}\r\n]*)\}\}\}/g, '{{$1}}');

function written({ subject, html, text, variables }: TemplateSource): TemplateMessage {
  const writer = new TemplateWriter();
  const lineIn = (part: 'subject' | 'text', value: string | null) =>
    value === null ? null : lineOf(readMergeFields(simple(value), 'variables'), part, writer);
  const places: ValueSlot[] = [];
  const message = { subject: lineIn('subject', subject), text: lineIn('text', text), declared: variables };
  places.push(...writer.variables);
  return { ...message, html: html === null ? null : htmlOf(simple(html), places).html, places };
}

/** The HTML with a placeholder for each value, and variables where none is safe. Adds a slot for each value to `slots`. */
function htmlOf(html: string, slots: ValueSlot[]): { readonly html: string; readonly unsafe: readonly string[] } {
  const position = new HtmlPosition();
  const unsafe: string[] = [];
  const pieces = readMergeFields(html, 'variables').parts.map((piece) => {
    if (typeof piece === 'string') {
      position.read(piece);
      return piece;
    }
    const { context } = position;
    if (context === 'forbidden') unsafe.push(variableOf(piece));
    position.skipValue();
    if (variableOf(piece) === unsubscribeVariable) return `{{${unsubscribeVariable}}}`;
    const name = `h${slots.length}`;
    const as = context === 'link' || context === 'image' || context === 'component' ? context : undefined;
    slots.push({ name, part: 'html', source: { kind: 'merge', field: piece }, ...(as && { as }) });
    return `{{${name}}}`;
  });
  return { html: pieces.join(''), unsafe };
}

const variableOf = ({ source }: MergeField): string => (source.kind === 'variable' ? source.name : source.kind);

function rendered({ subject, preheader, blocks, variables }: TemplateSource, frame: RenderOptions): TemplateMessage {
  const { blocks: read } = readContent(blocks ?? [], 'variables');
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

/** Every variable of a template, declared or only used. */
export function variablesOf({ variables, subject, preheader, html, text, blocks }: TemplateSource): DeclaredVariable[] {
  const all = new Map(variables.map((variable) => [variable.key, variable]));
  const written = [subject, preheader, html, text, ...textsIn(blocks)];
  for (const field of written.flatMap((value) => readMergeFields(simple(value ?? ''), 'variables').parts)) {
    const key = typeof field === 'string' ? unsubscribeVariable : variableOf(field);
    if (key !== unsubscribeVariable && !all.has(key)) all.set(key, { key, type: 'string', fallback: null });
  }
  return [...all.values()];
}

/** Every string in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
