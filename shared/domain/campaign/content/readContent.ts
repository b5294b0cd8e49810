import type { Text } from '../../../language/text.ts';
import type { Block, Line, ReadBlock } from './block.ts';
import { type Inline, readInline } from './inline.ts';
import { type LinkTarget, readImageSource, readLinkTarget } from './link.ts';
import type { MergeNames } from './mergeField.ts';

/** Something wrong in the content; `path` leads to the field from the list of blocks on: `[3].items[0]`. */
export interface ContentProblem {
  readonly path: readonly (string | number)[];
  readonly text: Text;
}

export interface ReadContent {
  readonly blocks: readonly ReadBlock[];
  readonly problems: readonly ContentProblem[];
}

type Path = readonly (string | number)[];

/** Reads inline markup, merge fields and links of every block, and tells everything that is wrong with them. */
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
  const lines = (text: string, ...place: Path) => readLines(text, { names, problems, path: [...path, ...place] });
  const line = (text: string, place: string) => lines(text, place).flat();
  const link = (target: LinkTarget, place: string): string => {
    if (target.ok) return target.href;
    problems.push({ path: [...path, place], text: target.problem });
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

/** More of them in one text would help nobody, and each costs a look at all that stands before it. */
const maxProblemsOfText = 100;

function readLines(text: string, { names, problems, path }: Reading): Line[] {
  const { inlines, problems: found } = readInline(text, names);
  for (const { at, text: problem } of found.slice(0, maxProblemsOfText))
    problems.push({ path, text: placed(problem, text, at) });
  return linesOf(inlines);
}

/** The place as a person finds it: line and column, from 1. */
function placed(problem: Text, text: string, at: number): Text {
  const before = text.slice(0, at).split('\n');
  const [row, column] = [before.length, [...(before.at(-1) ?? '')].length + 1];
  return {
    en: `line ${row}, column ${column}: ${problem.en}`,
    fr: `ligne ${row}, colonne ${column} : ${problem.fr}`,
  };
}

/** Divides at the author's line breaks; a span that goes over one is divided with it. */
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
