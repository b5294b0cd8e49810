import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { queueArn, queueUrl } from '../platform/config.ts';
import { schedule, unschedule } from './schedule.ts';

const queueName = 'webhook-delivery';
const subscription = { workspace_id: z.string(), webhook_id: z.string() };

const message = z.discriminatedUnion('kind', [
  /** Make the attempt that follows so many others. */
  z.object({
    kind: z.literal('attempt'),
    ...subscription,
    delivery_id: z.string(),
    tries: z.int().nonnegative(),
    /** How often it found its endpoint busy and was put off. */
    deferrals: z.int().nonnegative().default(0),
    /** True when another message may ask for the same attempt. */
    twin: z.boolean().default(false),
  }),
  /** The subscription was enabled: send what was held back, in the log after this delivery. */
  z.object({ kind: z.literal('release'), ...subscription, after: z.string().optional() }),
  /** The subscription was deleted: its log and its schedules follow. */
  z.object({ kind: z.literal('erase'), ...subscription }),
]);

export type WebhookMessage = z.output<typeof message>;
export type AttemptMessage = Extract<WebhookMessage, { kind: 'attempt' }>;

export const parseWebhookMessage = (body: string): WebhookMessage => message.parse(JSON.parse(body));

/** SQS takes 10 messages a call and delays of 15 minutes at most. */
const batchSize = 10;
export const longestDelaySeconds = 900;

/** Where SQS is follows from the region or `AWS_ENDPOINT_URL`, as with every other client, and not from a queue's URL. */
const client = new SQSClient({ useQueueUrlAsEndpoint: false });

/**
 * Puts messages on the queue. Their group (`<workspace>#<webhook>`) makes the standard queue fair: a subscription with
 * a backlog does not hold up the others (SQS Developer Guide, "fair queues").
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
        MessageBody: JSON.stringify(entry),
        MessageGroupId: `${entry.workspace_id}#${entry.webhook_id}`,
        ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
      })),
    }),
  );
  const [failed] = answer.Failed ?? [];
  if (failed) throw new Error(`SQS refused ${answer.Failed?.length} of ${batch.length} messages: ${failed.Code}.`);
}

/**
 * Asks for an attempt at a moment: by the delay of the queue when it is within 15 minutes, else by a one-time schedule
 * that puts the message on the queue and deletes itself.
 */
export async function sendAttemptAt(entry: AttemptMessage, at: Date, now: Date): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((at.getTime() - now.getTime()) / 1000));
  if (delaySeconds <= longestDelaySeconds) return sendWebhookMessages([entry], delaySeconds);
  await schedule({
    name: scheduleName(entry.delivery_id),
    at,
    queueArn: queueArn(queueName),
    body: JSON.stringify(entry),
  });
}

export const cancelScheduledAttempt = (deliveryId: string): Promise<void> => unschedule(scheduleName(deliveryId));

/** One per delivery: doing it twice makes one schedule, and whoever deletes the delivery finds it. */
const scheduleName = (deliveryId: string): string => `webhook-${deliveryId}`;
