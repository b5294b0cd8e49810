import type { Block, SimpleBlock } from '../../../../../domain/content/block.ts';

export const blockKinds = [
  ...(['heading', 'paragraph', 'image', 'button', 'list', 'divider', 'spacer', 'quote', 'product', 'video'] as const),
  ...(['social', 'menu', 'code', 'html'] as const),
] as const;
export type BlockKind = (typeof blockKinds)[number] | 'columns2' | 'columns3';

export function newBlock(kind: string): Block | null {
  switch (kind) {
    case 'heading':
      return { type: 'heading', level: 2, text: '' };
    case 'paragraph':
      return { type: 'paragraph', text: '' };
    case 'image':
      return { type: 'image', src: '', alt: '' };
    case 'button':
      return { type: 'button', label: '', href: '' };
    case 'list':
      return { type: 'list', items: [] };
    case 'divider':
      return { type: 'divider' };
    case 'spacer':
      return { type: 'spacer', height: 24 };
    case 'quote':
      return { type: 'quote', text: '' };
    case 'product':
      return { type: 'product', src: '', alt: '', title: '', label: '', href: '' };
    case 'video':
      return { type: 'video', src: '', alt: '', href: '' };
    case 'social':
      return { type: 'social', links: [] };
    case 'menu':
      return { type: 'menu', items: [] };
    case 'code':
      return { type: 'code', text: '' };
    case 'html':
      return { type: 'html', html: '' };
    case 'columns2':
      return { type: 'columns', columns: [[], []] };
    case 'columns3':
      return { type: 'columns', columns: [[], [], []] };
    default:
      return null;
  }
}

const placePattern = /^content(?:\[(\d{1,3})\](?:\.columns\[([0-2])\](?:\[(\d{1,3})\])?)?)?$/;

/** The result of a button that changes blocks, such as `up:content[2]` or `add:image:content[3].columns[0]`. */
export interface Done {
  readonly blocks: readonly Block[];
  /** The path of the block to focus next; null when no block is left there. */
  readonly place: string | null;
}

/** Null when the button changes no blocks. */
export function operated(blocks: readonly Block[], button: string): Done | null {
  const [verb = '', ...rest] = button.split(':');
  const path = rest.at(-1) ?? '';
  const [matched, first, column, inner] = placePattern.exec(path) ?? [];
  if (matched === undefined) return null;
  if (column === undefined) return onList(blocks, { verb, kind: rest[0] ?? '', index: numberOf(first) }, 'content');
  const block = blocks[Number(first)];
  if (block?.type !== 'columns') return null;
  const list = block.columns[Number(column)] ?? [];
  const base = `content[${first}].columns[${column}]`;
  const done = onList(list, { verb, kind: rest[0] ?? '', index: numberOf(inner) }, base);
  if (!done) return null;
  const simple = done.blocks.filter((one): one is SimpleBlock => one.type !== 'columns');
  const columns = block.columns.map((one, index) => (index === Number(column) ? simple : one));
  return { blocks: blocks.with(Number(first), { type: 'columns', columns }), place: done.place };
}

const numberOf = (text: string | undefined): number => (text === undefined ? -1 : Number(text));

interface Step {
  readonly verb: string;
  readonly kind: string;
  readonly index: number;
}

function onList(list: readonly Block[], { verb, kind, index }: Step, base: string): Done | null {
  const at = (place: number) => `${base}[${place}]`;
  if (verb === 'add') {
    const block = newBlock(kind);
    return block && { blocks: [...list, block], place: at(list.length) };
  }
  const block = list[index];
  if (!block) return null;
  switch (verb) {
    case 'up':
    case 'down': {
      const to = Math.min(list.length - 1, Math.max(0, index + (verb === 'up' ? -1 : 1)));
      return { blocks: list.toSpliced(index, 1).toSpliced(to, 0, block), place: at(to) };
    }
    case 'copy':
      return { blocks: list.toSpliced(index, 0, block), place: at(index + 1) };
    case 'delete':
      return { blocks: list.toSpliced(index, 1), place: list.length > 1 ? at(Math.max(0, index - 1)) : null };
    default:
      return null;
  }
}
