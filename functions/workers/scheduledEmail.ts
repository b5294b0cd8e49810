import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { parseScheduledMessage } from '../../shared/queue/scheduledMessage.ts';
import { fireScheduled } from '../../shared/services/emails/scheduled/fire.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => fireScheduled(parseScheduledMessage(body), now()));
