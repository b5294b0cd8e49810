import { readLinkTarget } from '../../webAddress.ts';
import type { Inline, Line } from '../block.ts';
import { type MergeNames, readMergeFields, type TextProblem } from '../messageTemplate.ts';

/** Divides at line breaks, through spans as well. */
export function linesOf(inlines: readonly Inline[]): Line[] {
  const lines: Inline[][] = [[]];
  const put = (inline: Inline) => lines.at(-1)?.push(inline);
  for (const inline of inlines) {
    if (inline.kind === 'merge') put(inline);
    else if (inline.kind === 'text') {
      for (const [index, text] of inline.text.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') put({ kind: 'text', text });
      }
    } else {
      for (const [index, children] of linesOf(inline.children).entries()) {
        if (index > 0) lines.push([]);
        if (children.length > 0) put({ ...inline, children });
      }
    }
  }
  return lines;
}

export interface InlineText {
  readonly inlines: readonly Inline[];
  readonly problems: readonly TextProblem[];
}

type Marker = '*' | '**' | '_' | '__';

interface Span {
  readonly kind: 'bold' | 'italic' | 'paragraph';
  readonly marker: Marker | '';
  readonly children: Inline[];
}

/**
 * Reads `**bold**`, `*italic*` (or with underscores), `[label](https://…)`, bare web addresses and merge fields. A marker
 * without its partner is text. The time is linear in the length of the text.
 */
export function readInline(text: string, names: MergeNames = 'person'): InlineText {
  const problems: TextProblem[] = [];
  const inlines = read(text, { offset: 0, problems, names, withLinks: true });
  return { inlines, problems };
}

/** A merge field is one token, so that `*` and brackets in its fallback are text. The last one is a bare address. */
const token =
  /\{\{[^{}\r\n]{0,1200}\}\}|\*\*|\*|__|_|\[([^[\]\r\n]{1,2000})\]\(([^()\s]{1,4000}(?:\([^()\s]{0,2000}\)[^()\s]{0,2000})?)\)|<?(https?:\/\/[^\s<>{}"'`*[\]]{1,4000})>?/g;

interface InlineReading {
  /** The offset of this text in the whole text. */
  readonly offset: number;
  readonly problems: TextProblem[];
  readonly names: MergeNames;
  readonly withLinks: boolean;
}

function read(text: string, reading: InlineReading): Inline[] {
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
    const [, label, target, address] = match;
    const marker = markerOf(match, text, open);
    if (address !== undefined) {
      const link = withLinks ? bareLink(match) : null;
      if (!link) continue;
      plain(match.index);
      add({ kind: 'link', href: link.href, children: [{ kind: 'text', text: link.shown }] });
      pattern.lastIndex = match.index + link.length;
    } else if (marker === null) {
      if (label === undefined || target === undefined || !withLinks) continue;
      plain(match.index);
      const link = readLinkTarget(target);
      const children = read(label, { ...reading, offset: offset + match.index + 1, withLinks: false });
      if (link.ok) add({ kind: 'link', href: link.href, children });
      else problems.push({ at: offset + match.index, text: link.problem });
    } else {
      pattern.lastIndex = match.index + marker.length;
      const closes = mayClose(text, match.index, marker) ? open.findLastIndex((span) => span.marker === marker) : -1;
      if (closes === -1 && !mayOpen(text, match.index, marker)) continue;
      plain(match.index);
      if (closes === -1) open.push({ kind: marker.length === 2 ? 'bold' : 'italic', marker, children: [] });
      else close(open, closes);
    }
    done = pattern.lastIndex;
  }
  plain(text.length);
  while (open.length > 1) unopen(open);
  return open[0]?.children ?? [];
}

/** A bare address without the punctuation of the sentence around it; null when it is no address that may be linked. */
function bareLink(match: RegExpExecArray) {
  const [whole, , , address = ''] = match;
  const isAngled = whole.startsWith('<') && whole.endsWith('>');
  if (whole.startsWith('<') && !isAngled) return null;
  let shown = isAngled ? address : address.replace(/[.,;:!?…»”’]+$/u, '');
  if (!isAngled && shown.endsWith(')') && !shown.includes('(')) shown = shown.replace(/\)+[.,;:!?]*$/, '');
  const target = readLinkTarget(shown);
  return target.ok ? { href: target.href, shown, length: isAngled ? whole.length : shown.length } : null;
}

/** The matched marker; null for a link or a merge field. The first of three asterisks may close an inner italic span. */
function markerOf(match: RegExpExecArray, text: string, open: readonly Span[]): Marker | null {
  const [found] = match;
  if (found === '_' || found === '__') return found;
  if (found !== '*' && found !== '**') return null;
  const isTriple = text[match.index + 2] === '*';
  return found === '**' && isTriple && open.at(-1)?.marker === '*' ? '*' : found;
}

const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{N}_]/u.test(text[at] ?? ' ');

/** A marker before a space or at the end is text, as in `2 * 3`; so is an underscore inside a word. */
function mayOpen(text: string, at: number, marker: Marker): boolean {
  if (!/\S/.test(text[at + marker.length] ?? ' ')) return false;
  return marker.startsWith('*') || !isWordAt(text, at - 1);
}

/** An underscore closes at the end of a word only. */
const mayClose = (text: string, at: number, marker: Marker): boolean =>
  marker.startsWith('*') || (/\S/.test(text[at - 1] ?? ' ') && !isWordAt(text, at + marker.length));

/** Closes the span at `index`. Markers inside it that were never closed become text. */
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

function merged(text: string, { offset, problems, names }: InlineReading): Inline[] {
  const { parts, problems: found } = readMergeFields(text, names);
  for (const { at, text: problem } of found) problems.push({ at: offset + at, text: problem });
  return parts.map((part) =>
    typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'merge', field: part },
  );
}
