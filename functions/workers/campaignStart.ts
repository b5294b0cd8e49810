import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseCampaignStartMessage } from '../../shared/queue/campaignStartMessage.ts';
import { sendScheduledCampaign } from '../../shared/services/campaigns/scheduleCampaign.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => sendScheduledCampaign(parseCampaignStartMessage(body), now()));
