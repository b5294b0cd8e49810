import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { invocation } from '../platform/invocation.ts';
import { withLogFields } from '../platform/logContext.ts';
import { logger } from '../platform/logger.ts';

const processor = () => new BatchProcessor(EventType.SQS);

/**
 * Runs each record of a batch, all at once: a bad record fails alone and is received again, up to the queue's limit and
 * then into its dead-letter queue. `finish` comes after all of them and is told how many failed; when it fails itself, the whole batch comes again.
 */
export function handleBatch(
  event: SQSEvent,
  context: Context,
  handle: (record: SQSRecord) => Promise<void>,
  finish?: (failures: number) => Promise<void>,
): Promise<SQSBatchResponse> {
  return invocation(context, async () => {
    const options = { context, throwOnFullBatchFailure: false };
    const response = await processPartialResponse(
      event,
      (record: SQSRecord) => reported(record, handle),
      processor(),
      options,
    );
    await finish?.(response.batchItemFailures.length);
    return response;
  });
}

/** Every line of a record's work names the message and its queue. */
function reported(record: SQSRecord, handle: (record: SQSRecord) => Promise<void>): Promise<void> {
  const fields = {
    queue: record.eventSourceARN.split(':').at(-1),
    message_id: record.messageId,
    receives: Number(record.attributes.ApproximateReceiveCount),
  };
  return withLogFields(fields, async () => {
    try {
      await handle(record);
    } catch (error) {
      logger.error('A record failed.', error as Error);
      throw error;
    }
  });
}
