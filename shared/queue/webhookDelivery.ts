import type { Lane } from '../domain/webhook/delivery.ts';
import { sendMessages } from './sqs.ts';
import { type WebhookMessage, wireWebhookMessage } from './webhookMessage.ts';

/** The same code handles both queues; they only separate the waiting messages. */
export const queueOfLane: Readonly<Record<Lane, string>> = { live: 'webhook-delivery', bulk: 'webhook-delivery-bulk' };
/** Messages other than attempts are rare. */
const laneOf = (message: WebhookMessage): Lane => (message.kind === 'attempt' ? message.lane : 'live');

/**
 * Sends messages to the queues. The message group (`<workspace>#<webhook>`) makes a standard queue fair: a webhook with
 * a backlog does not delay the others (SQS Developer Guide, "fair queues").
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
