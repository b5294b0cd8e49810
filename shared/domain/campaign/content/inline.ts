import { readLinkTarget } from './link.ts';
import { type MergeField, type MergeNames, readMergeFields, type TextProblem } from './mergeField.ts';

/** A piece of a line of text: what stands in paragraphs, headings, list items. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'merge'; readonly field: MergeField }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] };

export interface InlineText {
  readonly inlines: readonly Inline[];
  readonly problems: readonly TextProblem[];
}

interface Span {
  readonly kind: 'bold' | 'italic' | 'paragraph';
  readonly marker: string;
  readonly children: Inline[];
}

/**
 * Reads `**bold**`, `*italic*`, `[label](https://…)` and merge fields; a marker without its partner is text. One pass,
 * whatever is written: a character is looked at a fixed number of times.
 */
export function readInline(text: string, names: MergeNames = 'person'): InlineText {
  const problems: TextProblem[] = [];
  const inlines = read(text, { offset: 0, problems, names, withLinks: true });
  return { inlines, problems };
}

/** A merge field is a token of its own, so that a `*` or a bracket in its fallback means nothing. */
const token =
  /\{\{[^{}\r\n]{0,1200}\}\}|\*\*|\*|\[([^[\]\r\n]{1,2000})\]\(([^()\s]{1,4000}(?:\([^()\s]{0,2000}\)[^()\s]{0,2000})?)\)/g;

interface Reading {
  /** Where the text begins in what its author wrote. */
  readonly offset: number;
  readonly problems: TextProblem[];
  readonly names: MergeNames;
  readonly withLinks: boolean;
}

function read(text: string, reading: Reading): Inline[] {
  const { offset, problems, withLinks } = reading;
  const open: Span[] = [{ kind: 'paragraph', marker: '', children: [] }];
  const add = (inline: Inline) => open.at(-1)?.children.push(inline);
  let done = 0;
  const plain = (until: number) => {
    for (const inline of merged(text.slice(done, until), { ...reading, offset: offset + done })) add(inline);
    done = until;
  };
  const pattern = new RegExp(token);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, label, target] = match;
    const marker = markerOf(match, text, open);
    if (marker === null) {
      if (label === undefined || target === undefined || !withLinks) continue;
      plain(match.index);
      const link = readLinkTarget(target);
      const children = read(label, { ...reading, offset: offset + match.index + 1, withLinks: false });
      if (link.ok) add({ kind: 'link', href: link.href, children });
      else problems.push({ at: offset + match.index, text: link.problem });
    } else {
      pattern.lastIndex = match.index + marker.length;
      const closes = open.findLastIndex((span) => span.marker === marker);
      if (closes === -1 && !mayOpen(text, pattern.lastIndex)) continue;
      plain(match.index);
      if (closes === -1) open.push({ kind: marker === '**' ? 'bold' : 'italic', marker, children: [] });
      else close(open, closes);
    }
    done = pattern.lastIndex;
  }
  plain(text.length);
  while (open.length > 1) unopen(open);
  return open[0]?.children ?? [];
}

/** The marker that was found, null for a link or a merge field. Of three asterisks the first may end what is innermost. */
function markerOf(match: RegExpExecArray, text: string, open: readonly Span[]): '*' | '**' | null {
  const [found] = match;
  if (found !== '*' && found !== '**') return null;
  const isTriple = text[match.index + 2] === '*';
  return found === '**' && isTriple && open.at(-1)?.marker === '*' ? '*' : found;
}

/** A marker before a space or at the end opens nothing: `2 * 3` is arithmetic. */
const mayOpen = (text: string, after: number): boolean => /\S/.test(text[after] ?? ' ');

/** Ends the span at `index`; what was opened inside it and never closed becomes text again. */
function close(open: Span[], index: number): void {
  while (open.length - 1 > index) unopen(open);
  const span = open.pop();
  if (span && span.kind !== 'paragraph') open.at(-1)?.children.push({ kind: span.kind, children: span.children });
}

function unopen(open: Span[]): void {
  const span = open.pop();
  const parent = open.at(-1);
  if (!span || !parent) return;
  parent.children.push({ kind: 'text', text: span.marker });
  for (const child of span.children) parent.children.push(child);
}

function merged(text: string, { offset, problems, names }: Reading): Inline[] {
  const { parts, problems: found } = readMergeFields(text, names);
  for (const { at, text: problem } of found) problems.push({ at: offset + at, text: problem });
  return parts.map((part) =>
    typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'merge', field: part },
  );
}
