import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { withinInvocation } from '../platform/deadline.ts';
import { logger } from '../platform/logger.ts';

const processor = () => new BatchProcessor(EventType.SQS);

/**
 * Runs each record of a batch, all at once: a bad record fails alone and is received again, up to the queue's limit and
 * then into its dead-letter queue.
 */
export async function handleBatch(
  event: SQSEvent,
  context: Context,
  handle: (record: SQSRecord) => Promise<void>,
): Promise<SQSBatchResponse> {
  const report = async (record: SQSRecord): Promise<void> => {
    try {
      await handle(record);
    } catch (error) {
      logger.error('A record failed.', {
        error: error as Error,
        message_id: record.messageId,
        receives: record.attributes.ApproximateReceiveCount,
      });
      throw error;
    }
  };
  return withinInvocation(context, () =>
    processPartialResponse(event, report, processor(), { context, throwOnFullBatchFailure: false }),
  );
}
