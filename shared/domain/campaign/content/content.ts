import type { Block } from './block.ts';

/** What an author wrote for one variant, complete: nothing is taken from elsewhere any more. */
export interface WrittenVariant {
  readonly name: string | null;
  readonly subject: string;
  readonly preheader: string | null;
  /** An address or `Name <address>`. */
  readonly from: string;
  readonly blocks: readonly Block[];
}

/** What a campaign says; a regular one has one variant. */
export interface CampaignContent {
  readonly variants: readonly WrittenVariant[];
}
