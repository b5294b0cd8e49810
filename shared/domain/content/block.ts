import type { HtmlPiece, MergeField, MergeText } from './messageTemplate.ts';

export const alignments = ['left', 'center', 'right'] as const;

type Placed = {
  /** Absent for that of the brand. */
  readonly align?: (typeof alignments)[number] | undefined;
};

/** Colours are `#rrggbb`, absent for those of the brand. Without a colour of its own, text suits the background. */
type Tinted = Placed & {
  readonly color?: string | undefined;
  readonly background?: string | undefined;
};

export const headingLevels = [1, 2, 3, 4, 5, 6] as const;
type HeadingLevel = (typeof headingLevels)[number];

type Picture = {
  readonly src: string;
  readonly alt: string;
};

/** A block of a message as its author wrote it. `text`, `label`, `by`, `title` and `items` of lists hold inline markup. */
export type Block = SimpleBlock | { readonly type: 'columns'; readonly columns: readonly (readonly SimpleBlock[])[] };

export type SimpleBlock =
  | ({ readonly type: 'heading'; readonly level: HeadingLevel; readonly text: string } & Tinted)
  | ({ readonly type: 'paragraph'; readonly text: string } & Tinted)
  | ({
      readonly type: 'image';
      readonly href?: string | undefined;
      /** In pixels; absent for the width of the message. */
      readonly width?: number | undefined;
    } & Picture &
      Placed)
  | ({
      readonly type: 'button';
      readonly label: string;
      readonly href: string;
      readonly background?: string | undefined;
    } & Placed)
  | { readonly type: 'divider' }
  | ({ readonly type: 'list'; readonly items: readonly string[]; readonly ordered?: boolean | undefined } & Tinted)
  /** `height` in pixels. */
  | { readonly type: 'spacer'; readonly height: number }
  /** Addresses of pages at social networks or elsewhere. */
  | ({ readonly type: 'social'; readonly links: readonly string[] } & Placed)
  | ({ readonly type: 'quote'; readonly text: string; readonly by?: string | undefined } & Tinted)
  /** Shown as it is, without markup or merge fields. */
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'html'; readonly html: string }
  | ({ readonly type: 'menu'; readonly items: readonly { readonly label: string; readonly href: string }[] } & Placed)
  /** A picture that leads to the video: mail clients play none. */
  | ({ readonly type: 'video'; readonly href: string } & Picture)
  | ({
      readonly type: 'product';
      readonly title: string;
      readonly text?: string | undefined;
      readonly label: string;
      readonly href: string;
    } & Picture);

/** A piece of a line of text in a paragraph, heading, list item or button. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'merge'; readonly field: MergeField }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] };

export type Line = readonly Inline[];

/** Where and in which colours a block stands. */
export type BlockLook = Tinted;

/** A block with its markup parsed, for rendering. Lines are as the author wrote them. */
export type ReadBlock = (
  | { readonly type: 'heading'; readonly level: HeadingLevel; readonly lines: readonly Line[] }
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
  | { readonly type: 'spacer'; readonly height: number }
  | { readonly type: 'social'; readonly links: readonly string[] }
  | { readonly type: 'quote'; readonly lines: readonly Line[]; readonly by: Line | null }
  | { readonly type: 'code'; readonly text: string }
  | {
      readonly type: 'html';
      readonly pieces: readonly HtmlPiece[];
      readonly textParts: MergeText['parts'];
      readonly links: readonly string[];
    }
  | { readonly type: 'menu'; readonly items: readonly { readonly label: Line; readonly href: string }[] }
  | { readonly type: 'video'; readonly src: string; readonly alt: string; readonly href: string }
  | {
      readonly type: 'product';
      readonly src: string;
      readonly alt: string;
      readonly title: Line;
      readonly lines: readonly Line[] | null;
      readonly label: Line;
      readonly href: string;
    }
  | { readonly type: 'columns'; readonly columns: readonly (readonly ReadBlock[])[] }
) & { readonly look?: BlockLook };

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
