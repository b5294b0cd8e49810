import type { Block } from './block.ts';

/**
 * The blocks of plain `text`. A blank line separates paragraphs. Marks at the start of a line: `# `, `## `, `### ` for
 * headings, `- ` and `1. ` for lists, `---` for a divider. Any other line belongs to the paragraph or, indented, to the
 * item above it.
 */
export function blocksOfText(text: string): Block[] {
  const writer = new BlockWriter();
  let isAfterBlank = false;
  for (const written of text.split(/\r\n|\r|\n/)) {
    const line = written.trimEnd();
    const mark = markOf(line);
    if (line.trim() === '') writer.blank();
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
  | Extract<Block, { type: 'heading' | 'divider' }>
  | { readonly type: 'bullet'; readonly text: string }
  | { readonly type: 'number'; readonly number: number; readonly text: string };

const levels = [1, 2, 3] as const;

function markOf(line: string): LineMark | null {
  if (line === '---') return { type: 'divider' };
  const [, mark, text] = /^(#{1,3}|-|\d{1,4}\.) +(\S.*)$/.exec(line) ?? [];
  if (mark === undefined || text === undefined) return null;
  if (mark === '-') return { type: 'bullet', text };
  if (mark.startsWith('#')) return { type: 'heading', level: levels[mark.length - 1] ?? 1, text };
  return { type: 'number', number: Number.parseInt(mark, 10), text };
}

class BlockWriter {
  readonly #blocks: Block[] = [];
  #paragraph: string[] = [];
  #items: string[] = [];
  #isOrdered = false;

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

  block(block: Block): void {
    this.end();
    this.#blocks.push(block);
  }

  line(line: string, isAfterBlank: boolean): void {
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
    this.#endParagraph();
    this.#endList();
    return this.#blocks;
  }

  #endParagraph(): void {
    if (this.#paragraph.length > 0) this.#blocks.push({ type: 'paragraph', text: this.#paragraph.join('\n') });
    this.#paragraph = [];
  }

  #endList(): void {
    if (this.#items.length > 0) {
      this.#blocks.push({ type: 'list', items: this.#items, ...(this.#isOrdered && { ordered: true }) });
    }
    this.#items = [];
  }
}
