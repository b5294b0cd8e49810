import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseFireMessage } from '../../shared/queue/fireMessage.ts';
import { fire } from '../../shared/services/campaigns/run/fire.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => fire(parseFireMessage(body), now()));
