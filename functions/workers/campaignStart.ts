import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseFireMessage } from '../../shared/queue/fireMessage.ts';
import { sendScheduledCampaign } from '../../shared/services/campaigns/scheduleCampaign.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => sendScheduledCampaign(parseFireMessage(body), now()));
