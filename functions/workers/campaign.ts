import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseCampaignMessage } from '../../shared/queue/campaign.ts';
import { handleCampaignMessage } from '../../shared/services/campaigns/run/handle.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) =>
    handleCampaignMessage(parseCampaignMessage(body), context.getRemainingTimeInMillis(), now),
  );
