import { ServiceError } from '../../../contract/errors.ts';
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
  if (campaign?.status !== 'scheduled' || campaign.scheduledAt !== message.scheduled_at) return;
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
    if (!(await moveCampaign(campaign, 'draft', now, null))) return;
    logger.error('A scheduled campaign could not be sent and is a draft again.', {
      workspace_id: campaign.workspaceId,
      campaign_id: campaign.id,
      code: error.code,
      reason: error.text[defaultLanguage],
    });
  }
}
