import type { Campaign } from '../../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import { createId } from '../../../domain/token/identifier.ts';
import { addCampaign, getContent } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { findCampaign } from '../find.ts';

/**
 * A new draft that says the same to the same target; its test, if there is one, begins anew. What an editor left
 * unfinished is unfinished in the copy: its count of edits comes along, which has it checked before it goes out.
 */
export const duplicateCampaign = operatorVerb(
  { action: 'campaign.duplicate', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const original = await findCampaign(context.workspaceId, id);
    const content = await getContent<CampaignContent>(original);
    const at = context.now.toISOString();
    const copy: Campaign = {
      ...original,
      id: createId('camp', context.now),
      status: 'draft',
      test: original.test && { ...original.test, decideAt: null, winner: null, results: null },
      noted: null,
      freeze: null,
      hold: null,
      createdAt: at,
      updatedAt: at,
      scheduledAt: null,
      sentAt: null,
    };
    await addCampaign(copy, content);
    return copy;
  },
);
