import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { invocation } from '../platform/invocation.ts';
import { logger, withLogFields } from '../platform/logger.ts';

const processor = () => new BatchProcessor(EventType.SQS);

/**
 * Handles all records of a batch in parallel. A record that fails is received again, until the queue's limit moves it
 * to the dead-letter queue. `finish` runs after all of them with the number of failures; if it fails, the whole batch
 * is received again.
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

/** Adds the message id and the queue to every log line of a record. */
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
