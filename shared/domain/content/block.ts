import type { Text } from '../../language/text.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from '../webAddress.ts';
import { type MergeField, type MergeNames, readMergeFields, type TextProblem } from './messageTemplate.ts';

/** A block of a message as its author wrote it. `text`, `label` and `items` hold inline markup. */
export type Block = SimpleBlock | { readonly type: 'columns'; readonly columns: readonly (readonly SimpleBlock[])[] };

type SimpleBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | {
      readonly type: 'image';
      readonly src: string;
      readonly alt: string;
      readonly href?: string | undefined;
      /** In pixels; absent for the width of the message. */
      readonly width?: number | undefined;
    }
  | { readonly type: 'button'; readonly label: string; readonly href: string }
  | { readonly type: 'divider' }
  | { readonly type: 'list'; readonly items: readonly string[]; readonly ordered?: boolean | undefined };

/** A block with its markup parsed, for rendering. Lines are as the author wrote them. */
export type ReadBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly lines: readonly Line[] }
  | { readonly type: 'paragraph'; readonly lines: readonly Line[] }
  | {
      readonly type: 'image';
      readonly src: string;
      readonly alt: string;
      readonly href: string | null;
      readonly width: number | null;
    }
  | { readonly type: 'button'; readonly label: Line; readonly href: string }
  | { readonly type: 'divider' }
  | { readonly type: 'list'; readonly items: readonly (readonly Line[])[]; readonly ordered: boolean }
  | { readonly type: 'columns'; readonly columns: readonly (readonly ReadBlock[])[] };

export type Line = readonly Inline[];

/** The complete content of one variant, independent of the campaign. */
export interface WrittenVariant extends WrittenBody {
  readonly name: string | null;
  readonly subject: string;
  readonly preheader: string | null;
  /** An address or `Name <address>`. */
  readonly from: string;
}

/** The body of a message as its author wrote it: as text or blocks, or as HTML. */
export interface WrittenBody {
  /** None for HTML. */
  readonly blocks: readonly Block[];
  /** The text that the blocks were read from, if the body was given as text. */
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** The text part of HTML; null for one that is made from the HTML. */
  readonly plainText?: string | null | undefined;
}

/** The body alone. Every field is there, so that it replaces any other body. */
export const bodyIn = ({ blocks, text, html, plainText }: WrittenBody): WrittenBody => ({
  blocks,
  text,
  html,
  plainText,
});

/** The content of a campaign. A regular campaign has one variant. */
export interface CampaignContent {
  readonly variants: readonly WrittenVariant[];
}

/** A problem in the content. `path` leads from the list of blocks to the field: `[3].items[0]`. */
export interface ContentProblem {
  readonly path: readonly (string | number)[];
  readonly text: Text;
}

export interface ReadContent {
  readonly blocks: readonly ReadBlock[];
  readonly problems: readonly ContentProblem[];
}

type Path = readonly (string | number)[];

/** Parses inline markup, merge fields and links of every block, and collects all problems. */
export function readContent(blocks: readonly Block[], names: MergeNames = 'person', at: Path = []): ReadContent {
  const problems: ContentProblem[] = [];
  const read = blocks.map((block, index) => readBlock(block, { names, problems, path: [...at, index] }));
  return { blocks: read, problems };
}

interface Reading {
  readonly names: MergeNames;
  readonly problems: ContentProblem[];
  readonly path: Path;
}

function readBlock(block: Block, { names, problems, path }: Reading): ReadBlock {
  const lines = (text: string, ...field: Path) => readLines(text, { names, problems, path: [...path, ...field] });
  const line = (text: string, field: string) => lines(text, field).flat();
  const link = (target: LinkTarget, field: string): string => {
    if (target.ok) return target.href;
    problems.push({ path: [...path, field], text: target.problem });
    return '';
  };
  switch (block.type) {
    case 'heading':
      return { type: 'heading', level: block.level, lines: lines(block.text, 'text') };
    case 'paragraph':
      return { type: 'paragraph', lines: lines(block.text, 'text') };
    case 'image':
      return {
        type: 'image',
        src: link(readImageSource(block.src), 'src'),
        alt: block.alt,
        href: block.href === undefined ? null : link(readLinkTarget(block.href), 'href'),
        width: block.width ?? null,
      };
    case 'button':
      return { type: 'button', label: line(block.label, 'label'), href: link(readLinkTarget(block.href), 'href') };
    case 'divider':
      return { type: 'divider' };
    case 'list':
      return {
        type: 'list',
        items: block.items.map((item, index) => lines(item, 'items', index)),
        ordered: block.ordered ?? false,
      };
    case 'columns': {
      const columns = block.columns.map((column, index) => readContent(column, names, [...path, 'columns', index]));
      for (const column of columns) for (const problem of column.problems) problems.push(problem);
      return { type: 'columns', columns: columns.map((column) => column.blocks) };
    }
  }
}

/** Limits the work: each problem costs a scan of the text before it. */
export const maxProblemsOfText = 100;

function readLines(text: string, { names, problems, path }: Reading): Line[] {
  const { inlines, problems: found } = readInline(text, names);
  for (const { at, text: problem } of found.slice(0, maxProblemsOfText))
    problems.push({ path, text: withPosition(problem, text, at) });
  return linesOf(inlines);
}

/** The problem with its line and column, counted from 1. */
export function withPosition(problem: Text, text: string, at: number): Text {
  const before = text.slice(0, at).split('\n');
  const [row, column] = [before.length, [...(before.at(-1) ?? '')].length + 1];
  return {
    en: `line ${row}, column ${column}: ${problem.en}`,
    fr: `ligne ${row}, colonne ${column} : ${problem.fr}`,
  };
}

/** Divides at line breaks, through spans as well. */
function linesOf(inlines: readonly Inline[]): Line[] {
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

/** A piece of a line of text in a paragraph, heading, list item or button. */
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
 * Reads `**bold**`, `*italic*`, `[label](https://…)` and merge fields. A marker without its partner is text. The time is
 * linear in the length of the text.
 */
export function readInline(text: string, names: MergeNames = 'person'): InlineText {
  const problems: TextProblem[] = [];
  const inlines = read(text, { offset: 0, problems, names, withLinks: true });
  return { inlines, problems };
}

/** A merge field is one token, so that `*` and brackets in its fallback are text. */
const token =
  /\{\{[^{}\r\n]{0,1200}\}\}|\*\*|\*|\[([^[\]\r\n]{1,2000})\]\(([^()\s]{1,4000}(?:\([^()\s]{0,2000}\)[^()\s]{0,2000})?)\)/g;

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

/** The matched marker; null for a link or a merge field. The first of three asterisks may close an inner italic span. */
function markerOf(match: RegExpExecArray, text: string, open: readonly Span[]): '*' | '**' | null {
  const [found] = match;
  if (found !== '*' && found !== '**') return null;
  const isTriple = text[match.index + 2] === '*';
  return found === '**' && isTriple && open.at(-1)?.marker === '*' ? '*' : found;
}

/** A marker before a space or at the end is text, as in `2 * 3`. */
const mayOpen = (text: string, after: number): boolean => /\S/.test(text[after] ?? ' ');

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
