import { ServiceError } from '../../../contract/errors.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { mayBecome } from '../../../domain/campaign/status.ts';
import { moveCampaign } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { findCampaign } from '../find.ts';

/** Puts a draft or a campaign that was sent out of the way; its report stays. */
export const archiveCampaign = operatorVerb(
  { action: 'campaign.archive', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await findCampaign(context.workspaceId, id);
    const isPossible = mayBecome(campaign.status, 'archived');
    if (isPossible && (await moveCampaign(campaign, 'archived', context.now)))
      return { ...campaign, status: 'archived' };
    throw new ServiceError('conflict', {
      text: {
        en: `Only a draft or a campaign that was sent is archived; this one is ${campaign.status}.`,
        fr: `Seul un brouillon ou une campagne envoyée s’archive ; celle-ci est « ${campaign.status} ».`,
      },
      details: { status: campaign.status },
    });
  },
);
