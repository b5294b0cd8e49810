import type { SQSHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { handleConfirmationMessage } from '../../shared/services/confirmations/handle.ts';

export const handler: SQSHandler = async (event, context) =>
  handleBatch(event, context, ({ body }) => handleConfirmationMessage(body, now()));
