import { type MergeField, readMergeFields } from '../messageTemplate.ts';

const paragraphs: ReadonlySet<string> = new Set([
  ...[
    'p',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'table',
    'blockquote',
    'pre',
    'section',
    'article',
    'header',
  ],
  ...['footer', 'figure', 'form', 'dl', 'center', 'fieldset', 'main', 'nav', 'address', 'hr'],
]);
const lines: ReadonlySet<string> = new Set([
  'div',
  'tr',
  'li',
  'dt',
  'dd',
  'caption',
  'figcaption',
  'legend',
  'option',
]);
const cells: ReadonlySet<string> = new Set(['td', 'th']);
const voids: ReadonlySet<string> = new Set([
  ...['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr'],
]);

/** Deeper lists are indented no further. */
const maxIndent = 8;

type TextPart = string | MergeField;

/** Collects the text of a message while its HTML is read: its paragraphs and lists, the addresses of its links. */
export class TextOfHtml {
  readonly #lines: TextPart[][] = [];
  /** The line that is being written, in pieces. */
  #line: TextPart[] = [];
  readonly #lists: { readonly isOrdered: boolean; items: number }[] = [];
  #anchor: { readonly href: string; readonly label: TextPart[] } | null = null;
  /** The element that is not displayed, and how many of its name are open. */
  #hidden: { readonly name: string; depth: number } | null = null;

  add(parts: readonly TextPart[]): void {
    if (this.#hidden) return;
    for (const part of parts) this.#put(typeof part === 'string' ? part.replace(/[ \t\r\n\f]+/g, ' ') : part);
  }

  open(name: string, given: (name: string) => string): void {
    if (this.#hidden) {
      if (this.#hidden.name === name) this.#hidden.depth += 1;
      return;
    }
    if (/display\s{0,9}:\s{0,9}none/i.test(given('style'))) {
      if (!voids.has(name)) this.#hidden = { name, depth: 1 };
      return;
    }
    this.#break(name);
    if (name === 'br') this.#endLine();
    else if (name === 'hr') this.#lines.push(['-'.repeat(40)], []);
    else if (/^h[1-3]$/.test(name)) this.#line.push(`${'#'.repeat(Number(name.charAt(1)))} `);
    else if (name === 'ul' || name === 'ol') this.#lists.push({ isOrdered: name === 'ol', items: 0 });
    else if (name === 'li') this.#beginItem();
    else if (name === 'a') {
      this.#endAnchor();
      this.#anchor = { href: given('href').trim(), label: [] };
    } else if (name === 'img' && given('alt').trim() !== '') {
      this.#put(`[${given('alt').replace(/\s+/g, ' ').trim()}]`);
    }
  }

  close(name: string): void {
    if (this.#hidden) {
      if (this.#hidden.name === name) this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = null;
      return;
    }
    if (name === 'a') this.#endAnchor();
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    this.#break(name);
  }

  end(): { readonly parts: readonly TextPart[]; readonly isEmpty: boolean } {
    this.#endAnchor();
    this.#endLine();
    const isBlank = (line: readonly TextPart[] | undefined) => line?.length === 0;
    const all = this.#lines.filter((line, index, whole) => !(isBlank(line) && isBlank(whole[index - 1] ?? [])));
    while (isBlank(all.at(-1))) all.pop();
    const parts = all.flatMap((line, index): TextPart[] => (index === 0 ? line : ['\n', ...line]));
    const isEmpty = parts.every((part) => typeof part === 'string' && invisible.test(part));
    return { parts, isEmpty };
  }

  #put(part: TextPart): void {
    const last = this.#line.at(-1);
    const isAfterSpace = last === undefined || (typeof last === 'string' && last.endsWith(' '));
    const text = typeof part === 'string' && isAfterSpace ? part.replace(/^ /, '') : part;
    if (text === '') return;
    this.#line.push(text);
    this.#anchor?.label.push(text);
  }

  #break(name: string): void {
    if (paragraphs.has(name)) {
      this.#endLine({ isKept: false });
      if (this.#lists.length === 0 || name === 'p') this.#lines.push([]);
    } else if (lines.has(name)) this.#endLine({ isKept: false });
    else if (cells.has(name)) this.#put(' ');
  }

  /** An empty line of `<br>` is kept; one between blocks is not. */
  #endLine({ isKept = true } = {}): void {
    const line = trimmed(this.#line);
    if (line.length > 0 || isKept) this.#lines.push(line);
    this.#line = [];
  }

  #beginItem(): void {
    const list = this.#lists.at(-1);
    if (list) list.items += 1;
    const indent = '  '.repeat(Math.max(0, Math.min(maxIndent, this.#lists.length - 1)));
    this.#line.push(`${indent}${list?.isOrdered ? `${list.items}.` : '-'} `);
  }

  /** `label (address)`. */
  #endAnchor(): void {
    const anchor = this.#anchor;
    this.#anchor = null;
    if (!anchor || anchor.href === '' || anchor.href.startsWith('#')) return;
    const address = anchor.href.replace(/^(?:mailto|tel):/i, '');
    const label = trimmed(anchor.label);
    const written = label.every((part) => typeof part === 'string') ? label.join('') : null;
    if (written === address || written === anchor.href) return;
    const { parts } = readMergeFields(address, 'message');
    for (const part of written === '' ? parts : [' (', ...parts, ')']) this.#put(part);
  }
}

/** Nothing but white space and characters that are not seen. */
const invisible = /^(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)*$/;

function trimmed(line: readonly TextPart[]): TextPart[] {
  const left = [...line];
  for (let last = left.pop(); last !== undefined; last = left.pop()) {
    const text = typeof last === 'string' ? last.trimEnd() : last;
    if (text !== '') return [...left, text];
  }
  return left;
}
