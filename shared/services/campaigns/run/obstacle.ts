import type { Campaign, HoldReason } from '../../../domain/campaign/campaign.ts';
import { leftOfDay } from '../../../domain/campaign/pace.ts';
import { readSendingAccount } from '../../../email/providerAccount.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { changeHold } from '../../../store/campaign/campaigns.ts';
import { putAccountRate } from '../../../store/campaign/pace.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';

/** Notes why a campaign cannot go on; whoever notes first is right. */
export async function hold(
  campaign: Campaign,
  obstacle: { readonly reason: HoldReason; readonly providerCode: string | null },
  now: Date,
): Promise<void> {
  const isNew = await changeHold(campaign, { ...obstacle, since: now.toISOString() }, now);
  if (isNew) {
    logger.error('A campaign is held back.', {
      campaign_id: campaign.id,
      workspace_id: campaign.workspaceId,
      reason: obstacle.reason,
      provider_code: obstacle.providerCode,
    });
  }
}

/**
 * The campaign without its hold, when what stood in the way has passed: it goes on by itself. Null when it does not; it is
 * looked at once in a while, however many runners come by.
 */
export async function freed(campaign: Campaign, now: Date): Promise<Campaign | null> {
  const { hold: standing } = campaign;
  if (!standing) return campaign;
  if (now < addSeconds(new Date(standing.since), config('CAMPAIGN_LOOK_AGAIN_SECONDS'))) return null;
  if (!(await hasPassed[standing.reason](campaign, now))) return null;
  if (!(await changeHold(campaign, null, now))) return null;
  logger.info('A campaign goes on.', { campaign_id: campaign.id, reason: standing.reason });
  return { ...campaign, hold: null };
}

const never = async () => false;
const always = async () => true;

/** What ends each hold. To try again is the only way to find out about a domain or a line. */
const hasPassed: Readonly<Record<HoldReason, (campaign: Campaign, now: Date) => Promise<boolean>>> = {
  operator: never,
  canceled: never,
  provider_refuses: never,
  workspace_suspended: async ({ workspaceId }) => (await getWorkspace(workspaceId))?.suspension === null,
  provider_paused: async () => (await readSendingAccount()).sendingEnabled,
  provider_day_used_up: async (_campaign, now) => {
    const account = await readSendingAccount();
    await putAccountRate(account, now.getTime());
    return leftOfDay(account) > 0;
  },
  provider_unreachable: always,
  domain_unverified: always,
};
