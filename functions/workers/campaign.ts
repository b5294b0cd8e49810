import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseCampaignMessage } from '../../shared/queue/campaign.ts';
import { runCampaign } from '../../shared/services/campaigns/runCampaign.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) =>
    runCampaign(parseCampaignMessage(body), context.getRemainingTimeInMillis(), now),
  );
