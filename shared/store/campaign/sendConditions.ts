import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { FrequencyCap } from '../../domain/sending/frequencyCap.ts';
import { type CampaignRecipient, recipientsOf } from '../person/recipients.ts';
import { batchGet } from '../table/batches.ts';
import { addressItemKey, campaignKey, type Key, paceKey, workspaceKey } from '../table/keys.ts';
import { frequencyCapOf, isListened, isStopped, topicsOf } from '../workspace/workspaces.ts';
import type { CampaignPosition } from './campaigns.ts';
import { campaignOf } from './internal/campaignRecord.ts';
import { type Pace, paceOf } from './pace.ts';

/** What decides, right before a call, whether it is made and to whom. */
export interface SendConditions {
  readonly campaign: Campaign | null;
  readonly isSuspended: boolean;
  /** Tags of the topics that people can leave. */
  readonly kinds: readonly string[];
  readonly reports: 'sent' | undefined;
  readonly cap: FrequencyCap | null;
  /** Null before the account was read for the first time. */
  readonly pace: Pace | null;
  readonly recipients: ReadonlyMap<string, CampaignRecipient>;
}

/**
 * Campaign, workspace, pace and the recipients of a call (canonical form, 50 at most) in one strongly consistent read,
 * since people may have unsubscribed and the campaign may have been paused a second ago. `suppressed` are those on the
 * platform's list.
 */
export async function readSendConditions(
  { workspaceId, id }: CampaignPosition,
  emails: readonly string[],
  suppressed: Promise<ReadonlySet<string>>,
): Promise<SendConditions> {
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
    isSuspended: isStopped(workspace),
    reports: isListened(workspace, 'email.sent') ? 'sent' : undefined,
    cap: frequencyCapOf(workspace),
    kinds: topicsOf(workspace).map(({ tag }) => tag),
    pace: paceOf(itemOf(keys.pace)),
    recipients: recipientsOf(
      workspaceId,
      items.filter(({ sk }) => sk === people[0]?.sk),
      blocked,
    ),
  };
}
