import type { Block } from './block.ts';

/**
 * The blocks of plain `text`, which is Markdown. A blank line separates paragraphs, and a single line break stays one.
 * Marks at the start of a line: `#` to `######` for headings, `- `, `* `, `+ `, `1. ` and `1) ` for lists, `> ` for
 * quotes, three and more of `-`, `*` or `_` for a divider, three backquotes around code. An image alone in its line is an
 * image. Any other line belongs to the paragraph or, indented, to the item above it.
 */
export function blocksOfText(text: string): Block[] {
  const writer = new BlockWriter();
  let isAfterBlank = false;
  for (const written of text.split(/\r\n|\r|\n/)) {
    const line = written.trimEnd();
    if (writer.isInCode) {
      writer.codeLine(written);
      continue;
    }
    const mark = markOf(line);
    if (line.trim() === '') writer.blank();
    else if (mark?.type === 'fence') writer.beginCode(mark.fence, written);
    else if (mark?.type === 'quoted') writer.quoted(mark.text);
    else if (mark?.type === 'bullet') writer.item(mark.text, { isOrdered: false });
    else if (mark?.type === 'number' && writer.isNumberOfItem(mark.number)) {
      // Without a blank line, `1. ` may stand before each item, as in Markdown.
      writer.item(mark.text, { isOrdered: true, beginsList: isAfterBlank && mark.number === 1 });
    } else if (mark && mark.type !== 'number') writer.block(mark);
    else writer.line(line, isAfterBlank);
    isAfterBlank = line.trim() === '';
  }
  return writer.end();
}

type LineMark =
  | Extract<Block, { type: 'heading' | 'divider' | 'image' }>
  | { readonly type: 'bullet'; readonly text: string }
  | { readonly type: 'quoted'; readonly text: string }
  | { readonly type: 'fence'; readonly fence: string }
  | { readonly type: 'number'; readonly number: number; readonly text: string };

const levels = [1, 2, 3, 4, 5, 6] as const;

const heading = /^(#{1,6}) +(\S.*)$/;
const image = /^!\[([^[\]]{0,1000})\]\((https?:[^()\s]{1,4000})\)$/;
const linkedImage = /^\[!\[([^[\]]{0,1000})\]\((https?:[^()\s]{1,4000})\)\]\(([^()\s]{1,4000})\)$/;

function markOf(line: string): LineMark | null {
  if (/^(?:-(?: ?-){2,}|\*(?: ?\*){2,}|_(?: ?_){2,})$/.test(line)) return { type: 'divider' };
  const [, fence] = /^(`{3,}|~{3,})[^`]{0,100}$/.exec(line) ?? [];
  if (fence !== undefined) return { type: 'fence', fence };
  const [, hashes, title] = heading.exec(line) ?? [];
  if (hashes !== undefined && title !== undefined) {
    return { type: 'heading', level: levels[hashes.length - 1] ?? 1, text: title.replace(/ +#+$/, '') };
  }
  const [, alt, src, href] = image.exec(line) ?? linkedImage.exec(line) ?? [];
  if (alt !== undefined && src !== undefined) return { type: 'image', src, alt, ...(href !== undefined && { href }) };
  if (line.startsWith('>')) return { type: 'quoted', text: line.replace(/^> ?/, '') };
  const [, mark, text] = /^([-*+]|\d{1,4}[.)]) +(\S.*)$/.exec(line) ?? [];
  if (mark === undefined || text === undefined) return null;
  return /^[-*+]$/.test(mark) ? { type: 'bullet', text } : { type: 'number', number: Number.parseInt(mark, 10), text };
}

class BlockWriter {
  readonly #blocks: Block[] = [];
  #paragraph: string[] = [];
  #quote: string[] = [];
  #items: string[] = [];
  #isOrdered = false;
  /** The open fence, as it was written, and the lines since. */
  #code: { readonly fence: string; readonly written: string; readonly lines: string[] } | null = null;

  get isInCode(): boolean {
    return this.#code !== null;
  }

  beginCode(fence: string, written: string): void {
    this.end();
    this.#code = { fence, written, lines: [] };
  }

  codeLine(line: string): void {
    const { fence = '', lines = [] } = this.#code ?? {};
    const [, closing = ''] = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line) ?? [];
    if (!closing.startsWith(fence)) {
      lines.push(line);
      return;
    }
    this.#code = null;
    if (lines.some((one) => one.trim() !== '')) this.#blocks.push({ type: 'code', text: lines.join('\n') });
  }

  /** Items are shown with numbers from 1 on, so a line with any other number is text: `1984. A novel`. */
  isNumberOfItem(number: number): boolean {
    const isNext = this.#isOrdered && this.#items.length > 0 && number === this.#items.length + 1;
    return isNext || number === 1;
  }

  item(text: string, { isOrdered, beginsList = false }: { isOrdered: boolean; beginsList?: boolean }): void {
    this.#endParagraph();
    if (beginsList || this.#isOrdered !== isOrdered) this.#endList();
    this.#isOrdered = isOrdered;
    this.#items.push(text);
  }

  quoted(text: string): void {
    if (this.#quote.length === 0) this.end();
    this.#quote.push(text);
  }

  block(block: Block): void {
    this.end();
    this.#blocks.push(block);
  }

  line(line: string, isAfterBlank: boolean): void {
    this.#endQuote();
    const above = this.#items.at(-1);
    if (above !== undefined && /^\s/.test(line) && !isAfterBlank) {
      this.#items[this.#items.length - 1] = `${above}\n${line.trim()}`;
      return;
    }
    this.#endList();
    this.#paragraph.push(line);
  }

  /** Ends a paragraph, but no list: blank lines may stand between its items. */
  blank(): void {
    this.#endParagraph();
  }

  end(): Block[] {
    const open = this.#code;
    this.#code = null;
    this.#endParagraph();
    this.#endList();
    // A fence that is never closed is text, as its author sees.
    const rest = open ? [open.written, ...open.lines].join('\n').trim() : '';
    if (rest !== '') this.#blocks.push({ type: 'paragraph', text: rest });
    return this.#blocks;
  }

  #endParagraph(): void {
    this.#endQuote();
    if (this.#paragraph.length > 0) this.#blocks.push({ type: 'paragraph', text: this.#paragraph.join('\n') });
    this.#paragraph = [];
  }

  #endQuote(): void {
    const text = this.#quote.join('\n').trim();
    this.#quote = [];
    if (text !== '') this.#blocks.push({ type: 'quote', text });
  }

  #endList(): void {
    if (this.#items.length > 0) {
      this.#blocks.push({ type: 'list', items: this.#items, ...(this.#isOrdered && { ordered: true }) });
    }
    this.#items = [];
  }
}

/** Markdown that is sent as its author typed it, each by an example of it. */
const unread: readonly (readonly [example: string, pattern: RegExp])[] = [
  ['| a | b |', /^\|.*\|\s*\n\|?[ :|-]*-[ :|-]*$/m],
  ['`code`', /(?<!`)`[^`\n]{1,500}`(?!`)/],
  ['~~text~~', /~~[^~\n]{1,500}~~/],
  ['text ![](image)', /!\[[^\]\n]{0,500}\]\(/],
  ['[label][1]', /\[[^\]\n]{1,500}\]\[[^\]\n]{0,100}\]/],
  ['[^1]', /\[\^[^\]\n]{1,100}\]/],
  ['<b>', /<\/?[a-z][a-z0-9]{0,20}(?:\s[^<>\n]{0,500})?\/?>/i],
  ['\\*', /\\[*_#[\]`>-]/],
  ['===', /\n={3,}\s*$/m],
];
/** A list in an item: its marks stand in the text of the item. */
const nested = /\n(?:[-*+]|\d{1,4}[.)]) +\S/;

/** What a text has of Markdown that no block shows, by examples. Code is shown as it is. */
export function unreadMarkdown(text: string): string[] {
  const blocks = blocksOfText(text);
  const items = blocks.flatMap((block) => (block.type === 'list' ? block.items : []));
  const texts = blocks.flatMap((block) => (block.type !== 'code' && 'text' in block ? (block.text ?? []) : []));
  const found = unread.filter(([, pattern]) => [...texts, ...items].some((one) => pattern.test(one)));
  const isNested = items.some((item) => nested.test(item));
  return [...found.map(([example]) => example), ...(isNested ? ['  - nested'] : [])];
}
