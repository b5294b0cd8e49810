import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { connection } from '../platform/aws/connection.ts';
import { queueUrl } from '../platform/config.ts';
import { type WebhookMessage, wireWebhookMessage } from './webhookMessage.ts';

export const queueName = 'webhook-delivery';

/** SQS takes 10 messages a call and delays of 15 minutes at most. */
const batchSize = 10;
export const longestDelaySeconds = 900;

/** Where SQS is follows from the region or `AWS_ENDPOINT_URL`, as with every other client, and not from a queue's URL. */
const client = new SQSClient({ ...connection(), useQueueUrlAsEndpoint: false });

/**
 * Puts messages on the queue. Their group (`<workspace>#<webhook>`) makes the standard queue fair: a webhook with a
 * backlog does not hold up the others (SQS Developer Guide, "fair queues").
 */
export async function sendWebhookMessages(messages: readonly WebhookMessage[], delaySeconds = 0): Promise<void> {
  const batches: WebhookMessage[][] = [];
  for (let start = 0; start < messages.length; start += batchSize) {
    batches.push(messages.slice(start, start + batchSize));
  }
  await Promise.all(batches.map((batch) => sendBatch(batch, delaySeconds)));
}

async function sendBatch(batch: readonly WebhookMessage[], delaySeconds: number): Promise<void> {
  const answer = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: queueUrl(queueName),
      Entries: batch.map((entry, index) => ({
        Id: String(index),
        MessageBody: wireWebhookMessage(entry),
        MessageGroupId: `${entry.workspaceId}#${entry.webhookId}`,
        ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
      })),
    }),
  );
  const [failed] = answer.Failed ?? [];
  if (failed) throw new Error(`SQS refused ${answer.Failed?.length} of ${batch.length} messages: ${failed.Code}.`);
}
