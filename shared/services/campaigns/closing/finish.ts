import { type Campaign, frozenPeople } from '../../../domain/campaign/campaign.ts';
import type { Tally } from '../../../domain/campaign/tally.ts';
import { logger } from '../../../platform/logger.ts';
import { finishSending } from '../../../store/campaign/campaigns.ts';
import { campaignExpiry } from '../run/retention.ts';

/** Ends a campaign whose every person has an outcome, and gives back to its month who got nothing; both once. */
export async function finish(campaign: Campaign, tally: Tally, now: Date): Promise<boolean> {
  const { freeze, workspaceId } = campaign;
  if (!freeze) return false;
  const unsent = (tally.skipped ?? 0) + (tally.failed ?? 0);
  const expiresAt = campaignExpiry(new Date(freeze.at));
  if (!(await finishSending(campaign, now, { unsent, expiresAt }))) return false;
  logger.info('A campaign was sent.', {
    workspace_id: workspaceId,
    campaign_id: campaign.id,
    people: frozenPeople(freeze),
    given_back: unsent,
  });
  return true;
}
