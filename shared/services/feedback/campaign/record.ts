import type { CampaignFeedback } from '../../../email/feedbackEvent.ts';
import { logger } from '../../../platform/logger.ts';

/** No campaign is kept here yet: what is reported of one says so in the log, and is never taken for a single email's. */
export async function recordCampaignFeedback({ origin, message, happenings }: CampaignFeedback): Promise<void> {
  const { workspaceId, id, shard, chunk, position, attempt } = origin;
  logger.warn('Feedback belongs to no campaign.', {
    workspace_id: workspaceId,
    campaign_id: id,
    shard,
    chunk,
    position,
    attempt,
    ses_message_id: message.id,
    happenings: happenings.map(({ type }) => type),
  });
}
