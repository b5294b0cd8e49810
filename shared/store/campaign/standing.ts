import type { Campaign } from '../../domain/campaign/campaign.ts';
import { type CampaignRecipient, recipientsOf } from '../person/recipients.ts';
import { addressItemKey, campaignKey, type Key, paceKey, workspaceKey } from '../table/keys.ts';
import { batchGet } from '../table/table.ts';
import { kindsOf } from '../workspace/workspaceItem.ts';
import { campaignOf } from './campaignItem.ts';
import type { CampaignPosition } from './campaigns.ts';
import { type Pace, paceOf } from './pace.ts';

/** What decides, at the last moment, whether a call is made and to whom. */
export interface Standing {
  readonly campaign: Campaign | null;
  readonly isSuspended: boolean;
  /** Tags of the kinds of mail that the workspace offers to leave. */
  readonly kinds: readonly string[];
  /** Null before the account was read for the first time. */
  readonly pace: Pace | null;
  readonly recipients: ReadonlyMap<string, CampaignRecipient>;
}

/**
 * Campaign, workspace, pace and the people of a call (canonical form, 50 at most) as they stand, strongly consistent in
 * one read: somebody may have left, or paused the campaign, a second ago. `suppressed` are those whom the platform has.
 */
export async function readStanding(
  { workspaceId, id }: CampaignPosition,
  emails: readonly string[],
  suppressed: Promise<ReadonlySet<string>>,
): Promise<Standing> {
  const keys = { campaign: campaignKey(workspaceId, id), workspace: workspaceKey(workspaceId), pace: paceKey };
  const people = emails.map((email) => addressItemKey(workspaceId, email));
  const [items, blocked] = await Promise.all([
    batchGet([...Object.values(keys), ...people], { consistent: true }),
    suppressed,
  ]);
  const itemOf = ({ pk, sk }: Key) => items.find((item) => item.pk === pk && item.sk === sk);
  const [campaign, workspace] = [itemOf(keys.campaign), itemOf(keys.workspace)];
  if (!workspace) throw new Error('A campaign has no workspace.');
  return {
    campaign: campaign ? campaignOf(campaign) : null,
    isSuspended: Boolean(workspace.suspension),
    kinds: kindsOf(workspace).map(({ tag }) => tag),
    pace: paceOf(itemOf(keys.pace)),
    recipients: recipientsOf(
      workspaceId,
      items.filter(({ sk }) => sk === people[0]?.sk),
      blocked,
    ),
  };
}
