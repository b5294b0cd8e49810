import type { SQSHandler, SQSRecord } from 'aws-lambda';
import { readFeedback } from '../../shared/email/feedbackEvent.ts';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { closeBatch, openBatch } from '../../shared/services/feedback/batch.ts';
import { recordFeedback } from '../../shared/services/feedback/recordFeedback.ts';

export const handler: SQSHandler = (event, context) => {
  const batch = openBatch(now());
  const record = async ({ body }: SQSRecord) => {
    const feedback = readFeedback(body);
    if (feedback) await recordFeedback(feedback, batch);
  };
  return handleBatch(event, context, record, (failures) => closeBatch(batch, failures));
};
