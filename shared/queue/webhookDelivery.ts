import type { Lane } from '../domain/webhook/delivery.ts';
import { sendMessages } from './sqs/sendMessages.ts';
import { type WebhookMessage, wireWebhookMessage } from './webhookMessage.ts';

/** One code works on both; only what waits where is apart. */
export const queueOfLane: Readonly<Record<Lane, string>> = { live: 'webhook-delivery', bulk: 'webhook-delivery-bulk' };
/** Of whatever is no attempt there is little. */
const laneOf = (message: WebhookMessage): Lane => (message.kind === 'attempt' ? message.lane : 'live');

/**
 * Puts messages on the queue. Their group (`<workspace>#<webhook>`) makes the standard queue fair: a webhook with a
 * backlog does not hold up the others (SQS Developer Guide, "fair queues").
 */
export async function sendWebhookMessages(messages: readonly WebhookMessage[], delaySeconds = 0): Promise<void> {
  const sent = [...Map.groupBy(messages, laneOf)].map(([lane, own]) =>
    sendMessages(
      queueOfLane[lane],
      own.map((entry) => ({
        MessageBody: wireWebhookMessage(entry),
        MessageGroupId: `${entry.workspaceId}#${entry.webhookId}`,
        ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
      })),
    ),
  );
  await Promise.all(sent);
}
