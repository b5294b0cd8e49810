import type { Campaign } from '../../domain/campaign/campaign.ts';
import { campaignKey, type Key, paceKey, workspaceKey } from '../table/keys.ts';
import { batchGet } from '../table/table.ts';
import { campaignOf } from './campaignItem.ts';
import type { CampaignPosition } from './campaigns.ts';
import { type Pace, paceOf } from './pace.ts';

/** What decides whether a campaign's next call is made, and when. */
export interface Standing {
  readonly campaign: Campaign | null;
  readonly isSuspended: boolean;
  /** Null before the account was read for the first time. */
  readonly pace: Pace | null;
}

/** Campaign, workspace and pace as they stand, strongly consistent: one call before each of the provider's. */
export async function readStanding({ workspaceId, id }: CampaignPosition): Promise<Standing> {
  const keys = { campaign: campaignKey(workspaceId, id), workspace: workspaceKey(workspaceId), pace: paceKey };
  const items = await batchGet(Object.values(keys), { consistent: true });
  const itemOf = ({ pk, sk }: Key) => items.find((item) => item.pk === pk && item.sk === sk);
  const [campaign, workspace] = [itemOf(keys.campaign), itemOf(keys.workspace)];
  if (!workspace) throw new Error('A campaign has no workspace.');
  return {
    campaign: campaign ? campaignOf(campaign) : null,
    isSuspended: Boolean(workspace.suspension),
    pace: paceOf(itemOf(keys.pace)),
  };
}
