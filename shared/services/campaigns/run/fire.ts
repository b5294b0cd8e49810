import { ServiceError } from '../../../contract/errors.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { defaultLanguage } from '../../../language/languages.ts';
import { logger } from '../../../platform/logger.ts';
import type { FireMessage } from '../../../queue/fireMessage.ts';
import { getCampaign, moveCampaign } from '../../../store/campaign/campaigns.ts';
import { startCampaign } from '../send.ts';

/**
 * Sends what was scheduled for this moment. Whoever unscheduled it, or chose another time, has made this message void. A
 * check that fails makes it a draft again, and an alarm: somebody expected it to go out.
 */
export async function fire(message: FireMessage, now: Date): Promise<void> {
  const campaign = await getCampaign({ workspaceId: message.workspace_id, id: message.campaign_id });
  if (!waitsFor(message, campaign)) return;
  try {
    await startCampaign(
      {
        actor: { kind: 'system' },
        workspaceId: campaign.workspaceId,
        language: defaultLanguage,
        now,
        requestId: `schedule-${campaign.id}`,
      },
      campaign,
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    // A twin of this message may have sent it meanwhile: then there is nothing to say.
    if (!waitsFor(message, await getCampaign(campaign))) return;
    // The alarm first: whoever dies between the two raises it again, and of a draft nobody would.
    logger.error('A scheduled campaign could not be sent and becomes a draft again.', {
      workspace_id: campaign.workspaceId,
      campaign_id: campaign.id,
      code: error.code,
      reason: error.text[defaultLanguage],
    });
    await moveCampaign(campaign, 'draft', now, null);
  }
}

const waitsFor = ({ scheduled_at }: FireMessage, campaign: Campaign | null): campaign is Campaign =>
  campaign?.status === 'scheduled' && campaign.scheduledAt === scheduled_at;
