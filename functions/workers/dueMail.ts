import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { handleDueMail } from '../../shared/services/workers/handleDueMail.ts';

export const handler: SQSHandler = (event, context) =>
  handleBatch(event, context, ({ body }) => handleDueMail(body, now()));
