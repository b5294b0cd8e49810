import type { Input, Result } from '../../contract/route.ts';
import type { listCampaignsRoute } from '../../contract/routes/campaigns.ts';
import { pageOfCampaigns } from '../../store/campaign/campaigns.ts';
import { getPace } from '../../store/campaign/pace.ts';
import { readTallies } from '../../store/campaign/tallies.ts';
import type { Context } from '../context.ts';
import { shownCampaign } from './show.ts';

/** Campaigns newest first. The counters of each are read: 8 read units for one that was sent, nothing for a draft. */
export async function listCampaigns(
  { workspaceId, now }: Context,
  { status, limit, after }: Input<typeof listCampaignsRoute>,
): Promise<Result<typeof listCampaignsRoute>> {
  const { entries: campaigns, next } = await pageOfCampaigns(workspaceId, { status, limit, after });
  const pace = campaigns.some((campaign) => campaign.status === 'sending') ? await getPace() : null;
  const entries = campaigns.map(async (campaign) => {
    const tally = campaign.freeze ? (await readTallies(workspaceId, campaign.id)).total : {};
    return shownCampaign(campaign, tally, pace, now);
  });
  return { entries: await Promise.all(entries), next };
}
