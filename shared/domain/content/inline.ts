import { type Text, textsOf } from '../../language/text.ts';
import { type MergeField, type MergeNames, readMergeFields, type TextProblem } from './messageTemplate.ts';

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

interface Reading {
  /** The offset of this text in the whole text. */
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

function merged(text: string, { offset, problems, names }: Reading): Inline[] {
  const { parts, problems: found } = readMergeFields(text, names);
  for (const { at, text: problem } of found) problems.push({ at: offset + at, text: problem });
  return parts.map((part) =>
    typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'merge', field: part },
  );
}

/** The schemes that a link may have. */
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

const texts = textsOf({
  scheme: {
    en: 'a link must start with https://, http://, mailto: or tel:',
    fr: 'un lien doit commencer par https://, http://, mailto: ou tel:',
  },
  malformed: { en: 'is not a complete link address', fr: 'n’est pas une adresse de lien complète' },
  merge: {
    en: 'a link must not contain a merge field',
    fr: 'un lien ne doit pas contenir de champ de fusion',
  },
});

export type LinkTarget = { readonly ok: true; readonly href: string } | { readonly ok: false; readonly problem: Text };

/**
 * A link address in the form in which it is sent and counted: normalised as a WHATWG URL, with braces and quotes
 * percent-encoded, so that nothing in it has a meaning in HTML or in a template of SES.
 */
export function readLinkTarget(text: string): LinkTarget {
  const trimmed = text.trim();
  if (/\{\{|\}\}/.test(trimmed)) return { ok: false, problem: texts.merge };
  if (/[\p{Cc}\s]/u.test(trimmed)) return { ok: false, problem: texts.malformed };
  const url = URL.parse(trimmed);
  if (!url) return { ok: false, problem: /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? texts.malformed : texts.scheme };
  if (!schemes.has(url.protocol)) return { ok: false, problem: texts.scheme };
  if (url.protocol.startsWith('http') && !url.hostname.includes('.') && url.hostname !== 'localhost') {
    return { ok: false, problem: texts.malformed };
  }
  return { ok: true, href: encoded(url.href) };
}

/** The address of an image: http or https only. */
export function readImageSource(text: string): LinkTarget {
  const target = readLinkTarget(text);
  if (!target.ok || /^https?:/.test(target.href)) return target;
  return { ok: false, problem: texts.scheme };
}

const encoded = (href: string): string =>
  href.replace(/[{}\\'"<>`]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
