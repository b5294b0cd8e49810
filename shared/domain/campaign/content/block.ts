import type { Inline } from './inline.ts';

/** A piece of a message as its author wrote it; `text`, `label` and `items` hold inline markup. */
export type Block = SimpleBlock | { readonly type: 'columns'; readonly columns: readonly (readonly SimpleBlock[])[] };

type SimpleBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | {
      readonly type: 'image';
      readonly src: string;
      readonly alt: string;
      readonly href?: string | undefined;
      /** Pixels as shown; the width of the message when left out. */
      readonly width?: number | undefined;
    }
  | { readonly type: 'button'; readonly label: string; readonly href: string }
  | { readonly type: 'divider' }
  | { readonly type: 'list'; readonly items: readonly string[]; readonly ordered?: boolean | undefined };

/** The same, read: what is rendered. Line breaks inside a paragraph are those that the author wrote. */
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
