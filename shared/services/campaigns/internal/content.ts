import type { Campaign } from '../../../domain/campaign/campaign.ts';
import type { CampaignContent, WrittenVariant } from '../../../domain/content/block.ts';
import { blocksOfText } from '../../../domain/content/textBlocks.ts';
import { canonicalJson } from '../../../domain/encoding.ts';
import { getContent } from '../../../store/campaign/campaigns.ts';

/**
 * A variant as it is stored. HTML is stored without blocks: release 1.0.0, which knows no other body, then refuses the
 * campaign after a rollback, where an empty list would be sent as an empty message.
 */
type StoredVariant = Omit<WrittenVariant, 'blocks'> & Partial<Pick<WrittenVariant, 'blocks'>>;

export const storedContent = ({ variants }: CampaignContent): { readonly variants: readonly StoredVariant[] } => ({
  variants: variants.map(({ blocks, ...variant }) => (variant.html === undefined ? { ...variant, blocks } : variant)),
});

/** Whether two values are stored alike: fields that are undefined are not stored. */
export const isStoredAlike = (one: unknown, other: unknown): boolean =>
  canonicalJson(JSON.parse(JSON.stringify(one))) === canonicalJson(JSON.parse(JSON.stringify(other)));

/** What the author of a campaign wrote. */
export async function writtenContent(campaign: Pick<Campaign, 'workspaceId' | 'id'>): Promise<CampaignContent> {
  const { variants } = await getContent<ReturnType<typeof storedContent>>(campaign);
  return { variants: variants.map(({ blocks = [], ...variant }) => withText({ ...variant, blocks })) };
}

/**
 * The blocks are what is sent: a text that reads otherwise, by an earlier release or after a change that kept it, is not
 * what was written.
 */
function withText({ text, ...variant }: WrittenVariant): WrittenVariant {
  const isSame = text !== undefined && isStoredAlike(blocksOfText(text), variant.blocks);
  return isSame ? { ...variant, text } : variant;
}
