import type { Input, Output } from '../../contract/route.ts';
import type { getCampaignRoute } from '../../contract/routes/campaigns.ts';
import { getPace } from '../../store/campaign/pace.ts';
import { readTallies } from '../../store/campaign/tallies.ts';
import type { Context } from '../context.ts';
import { findCampaign } from './find.ts';
import { shownCampaign } from './show.ts';

/** One campaign with its statistics and, once it was sent, its progress. */
export async function getCampaign(
  { workspaceId, now }: Context,
  { id }: Input<typeof getCampaignRoute>,
): Promise<Output<typeof getCampaignRoute>> {
  const campaign = await findCampaign(workspaceId, id);
  if (!campaign.freeze) return shownCampaign(campaign, {}, null, now);
  const [{ total }, pace] = await Promise.all([
    readTallies(workspaceId, id, { consistent: true }),
    campaign.status === 'sending' ? getPace() : null,
  ]);
  return shownCampaign(campaign, total, pace, now);
}
