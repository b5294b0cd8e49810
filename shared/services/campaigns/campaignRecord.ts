import type { Output } from '../../contract/route.ts';
import type { getCampaignRoute } from '../../contract/routes/campaigns.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { defaultLanguage } from '../../language/languages.ts';
import type { Context } from '../context.ts';
import { targetOfCampaign } from './internal/target.ts';
import { findCampaign, shownWithProgress } from './readCampaigns.ts';

type CampaignAnswer = Output<typeof getCampaignRoute>;

/** A campaign as the API answers it. */
export async function showCampaign(context: Context, input: { readonly id: string }): Promise<CampaignAnswer> {
  const campaign = await findCampaign(context.workspaceId, input.id);
  const [shown, target] = await Promise.all([shownWithProgress(context, campaign), targetOfCampaign(campaign)]);
  const { from, replyTo = null, track, revision = 0 } = campaign;
  const failure = campaign.scheduleFailure;
  const message = failure?.text[context.language] ?? failure?.text[defaultLanguage] ?? '';
  return {
    ...{ ...shown, from, reply_to: replyTo, track, target, revision },
    schedule_failure: failure ? { code: failure.code, message, at: failure.at } : null,
  };
}

/** A verb that changes a campaign, as the API answers it: with the campaign as it is stored after the change. */
export const answeringCampaign =
  <Given>(verb: (context: Context, input: Given) => Promise<Pick<Campaign, 'id'>>) =>
  async (context: Context, input: Given): Promise<CampaignAnswer> =>
    showCampaign(context, await verb(context, input));
