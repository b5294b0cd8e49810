import type { Text } from '../../language/text.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from '../webAddress.ts';
import { contrastOf, isColor, leastContrast } from '../workspace/brand.ts';
import type { Block, BlockLook, Line, ReadBlock } from './block.ts';
import { structureProblems } from './internal/htmlStructure.ts';
import { linesOf, readInline } from './internal/inline.ts';
import type { MergeNames } from './messageTemplate.ts';
import { readHtml } from './writtenHtml.ts';

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
  const read = blocks.map((block, index) => new ContentReader(names, problems, [...at, index]).read(block));
  return { blocks: read, problems };
}

class ContentReader {
  readonly #names: MergeNames;
  readonly #problems: ContentProblem[];
  readonly #path: Path;

  constructor(names: MergeNames, problems: ContentProblem[], path: Path) {
    this.#names = names;
    this.#problems = problems;
    this.#path = path;
  }

  read(block: Block): ReadBlock {
    const look = this.#look(block);
    return look ? { ...this.#content(block), look } : this.#content(block);
  }

  #content(block: Block): ReadBlock {
    switch (block.type) {
      case 'heading':
        return { type: 'heading', level: block.level, lines: this.#lines(block.text, 'text') };
      case 'paragraph':
        return { type: 'paragraph', lines: this.#lines(block.text, 'text') };
      case 'image': {
        const href = block.href === undefined ? null : this.#link(block.href, 'href');
        return { type: 'image', src: this.#source(block.src), alt: block.alt, href, width: block.width ?? null };
      }
      case 'button':
        return { type: 'button', label: this.#line(block.label, 'label'), href: this.#link(block.href, 'href') };
      case 'divider':
        return block;
      case 'list':
        return {
          type: 'list',
          items: block.items.map((item, index) => this.#lines(item, 'items', index)),
          ordered: block.ordered ?? false,
        };
      case 'spacer':
        return { type: 'spacer', height: block.height };
      case 'social':
        return { type: 'social', links: block.links.map((link, index) => this.#link(link, 'links', index)) };
      case 'quote':
        return {
          type: 'quote',
          lines: this.#lines(block.text, 'text'),
          by: block.by === undefined ? null : this.#line(block.by, 'by'),
        };
      case 'code':
        return { type: 'code', text: block.text };
      case 'html': {
        const { pieces, textParts, links, problems } = readHtml(
          block.html,
          this.#names === 'person' ? 'message' : this.#names,
        );
        for (const { at, text } of [...problems, ...structureProblems(block.html)]) {
          this.#problem(withPosition(text, block.html, at), 'html');
        }
        return { type: 'html', pieces, textParts, links };
      }
      case 'menu':
        return {
          type: 'menu',
          items: block.items.map(({ label, href }, index) => ({
            label: this.#line(label, 'items', index, 'label'),
            href: this.#link(href, 'items', index, 'href'),
          })),
        };
      case 'video':
        return {
          type: 'video',
          src: this.#source(block.src),
          alt: block.alt,
          href: this.#link(block.href, 'href'),
        };
      case 'product':
        return {
          type: 'product',
          src: this.#source(block.src),
          alt: block.alt,
          title: this.#line(block.title, 'title'),
          lines: block.text === undefined ? null : this.#lines(block.text, 'text'),
          label: this.#line(block.label, 'label'),
          href: this.#link(block.href, 'href'),
        };
      case 'columns': {
        const columns = block.columns.map((column, index) =>
          readContent(column, this.#names, [...this.#path, 'columns', index]),
        );
        for (const column of columns) for (const problem of column.problems) this.#problems.push(problem);
        return { type: 'columns', columns: columns.map((column) => column.blocks) };
      }
    }
  }

  /** Where and in which colours the block stands; null for the look of the brand. Text must be readable. */
  #look(block: Block): BlockLook | null {
    const align = 'align' in block ? block.align : undefined;
    const color = 'color' in block ? block.color : undefined;
    const background = 'background' in block ? block.background : undefined;
    if (align === undefined && color === undefined && background === undefined) return null;
    if (color !== undefined && isColor(color)) {
      const behind = background !== undefined && isColor(background) ? background : '#ffffff';
      const contrast = contrastOf(color, behind);
      if (contrast < leastContrast) this.#problem(tooPale(contrast, behind), 'color');
    }
    return { align, color, background };
  }

  #problem(text: Text, ...field: Path): void {
    this.#problems.push({ path: [...this.#path, ...field], text });
  }

  #lines(text: string, ...field: Path): Line[] {
    const { inlines, problems: found } = readInline(text, this.#names);
    for (const { at, text: problem } of found.slice(0, maxProblemsOfText)) {
      this.#problem(withPosition(problem, text, at), ...field);
    }
    return linesOf(inlines);
  }

  #line(text: string, ...field: Path): Line {
    return this.#lines(text, ...field).flat();
  }

  #link(address: string, ...field: Path): string {
    return this.#target(readLinkTarget(address), ...field);
  }

  #source(address: string): string {
    return this.#target(readImageSource(address), 'src');
  }

  #target(target: LinkTarget, ...field: Path): string {
    if (target.ok) return target.href;
    this.#problem(target.problem, ...field);
    return '';
  }
}

/** Rounded down, so that it never looks like a contrast that it does not reach. */
function tooPale(contrast: number, behind: string): Text {
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  return {
    en: `has a contrast of ${shown} with its background ${behind}; readable text needs ${leastContrast}`,
    fr: `a un contraste de ${shown} avec son arrière-plan ${behind} ; un texte lisible en demande ${leastContrast}`,
  };
}

/** Limits the work: each problem costs a scan of the text before it. */
export const maxProblemsOfText = 100;

/** The problem with its line and column, counted from 1. */
export function withPosition(problem: Text, text: string, at: number): Text {
  const before = text.slice(0, at).split('\n');
  const [row, column] = [before.length, [...(before.at(-1) ?? '')].length + 1];
  return {
    en: `line ${row}, column ${column}: ${problem.en}`,
    fr: `ligne ${row}, colonne ${column} : ${problem.fr}`,
  };
}
