import type { SQSHandler } from 'aws-lambda';
import { readFeedback } from '../../shared/email/feedbackEvent.ts';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { closeBatch, openBatch } from '../../shared/services/feedback/batch.ts';
import { noteProgress } from '../../shared/services/feedback/progress.ts';
import { recordFeedback } from '../../shared/services/feedback/record.ts';

export const handler: SQSHandler = async (event, context) => {
  const batch = openBatch(now());
  const response = await handleBatch(event, context, async ({ body }) => {
    const feedback = readFeedback(body);
    if (feedback) await recordFeedback(feedback, batch);
  });
  await closeBatch(batch);
  if (response.batchItemFailures.length === 0) await noteProgress(batch);
  return response;
};
