import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Lane } from '../domain/webhook/delivery.ts';
import { connection } from '../platform/aws/connection.ts';
import { queueUrl } from '../platform/config.ts';
import { type WebhookMessage, wireWebhookMessage } from './webhookMessage.ts';

/** One code works on both; only what waits where is apart. */
export const queueOfLane: Readonly<Record<Lane, string>> = { live: 'webhook-delivery', bulk: 'webhook-delivery-bulk' };
/** Of whatever is no attempt there is little. */
const laneOf = (message: WebhookMessage): Lane => (message.kind === 'attempt' ? message.lane : 'live');

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
  const sent = [...Map.groupBy(messages, laneOf)].flatMap(([lane, own]) =>
    batchesOf(own).map((batch) => sendBatch(queueOfLane[lane], batch, delaySeconds)),
  );
  await Promise.all(sent);
}

function batchesOf(messages: readonly WebhookMessage[]): (readonly WebhookMessage[])[] {
  const count = Math.ceil(messages.length / batchSize);
  return Array.from({ length: count }, (_, index) => messages.slice(index * batchSize, (index + 1) * batchSize));
}

async function sendBatch(queue: string, batch: readonly WebhookMessage[], delaySeconds: number): Promise<void> {
  const answer = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: queueUrl(queue),
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
