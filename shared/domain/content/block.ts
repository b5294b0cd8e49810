import type { Text } from '../../language/text.ts';
import { type Inline, type LinkTarget, readImageSource, readInline, readLinkTarget } from './inline.ts';
import type { MergeNames } from './messageTemplate.ts';

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
export interface WrittenVariant {
  readonly name: string | null;
  readonly subject: string;
  readonly preheader: string | null;
  /** An address or `Name <address>`. */
  readonly from: string;
  readonly blocks: readonly Block[];
}

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
const maxProblemsOfText = 100;

function readLines(text: string, { names, problems, path }: Reading): Line[] {
  const { inlines, problems: found } = readInline(text, names);
  for (const { at, text: problem } of found.slice(0, maxProblemsOfText))
    problems.push({ path, text: withPosition(problem, text, at) });
  return linesOf(inlines);
}

/** The problem with its line and column, counted from 1. */
function withPosition(problem: Text, text: string, at: number): Text {
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

/** The blocks of plain `text`: a blank line separates paragraphs, and a line that starts with `# ` is a heading. */
export function blocksOfText(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const heading = /^# +(\S.*)$/.exec(line);
    if (line.trim() === '') end();
    else if (heading?.[1]) {
      end();
      blocks.push({ type: 'heading', level: 1, text: heading[1].trimEnd() });
    } else paragraph.push(line.trimEnd());
  }
  end();
  return blocks;
}
