import type { SQSHandler } from 'aws-lambda';
import { parseFeedback } from '../../shared/email/feedbackEvent.ts';
import { now } from '../../shared/platform/clock.ts';
import { handleBatch } from '../../shared/queue/batch.ts';
import { applyFeedback } from '../../shared/services/feedback/apply.ts';
import { closeBatch, openBatch } from '../../shared/services/feedback/batch.ts';

export const handler: SQSHandler = async (event, context) => {
  const batch = openBatch(now());
  const response = await handleBatch(event, context, async ({ body }) => {
    const feedback = parseFeedback(body);
    if (feedback) await applyFeedback(feedback, batch);
  });
  await closeBatch(batch);
  return response;
};
