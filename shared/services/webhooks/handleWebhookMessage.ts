import { firstIdAt } from '../../domain/identifier.ts';
import {
  type Delivery,
  isHeld,
  webhookRetryDelaysSeconds,
  webhookRetryWindowSeconds,
} from '../../domain/webhook/delivery.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { addSeconds } from '../../platform/clock.ts';
import { addLogFields } from '../../platform/logger.ts';
import { cancelScheduledAttempt } from '../../queue/scheduledAttempt.ts';
import { longestDelaySeconds } from '../../queue/sqs.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { type AttemptMessage, attemptMessage, type WebhookMessage } from '../../queue/webhookMessage.ts';
import { deleteDeliveries, listAnyDeliveries, listDeliveries } from '../../store/webhook/deliveries.ts';
import { releaseDelivery } from '../../store/webhook/deliveryChanges.ts';
import { closeErasure, getWebhook } from '../../store/webhook/webhooks.ts';
import { runAttempt } from './internal/attempt.ts';

/** Handles one message of the delivery queues. Idempotent. */
export async function handleWebhookMessage(
  message: WebhookMessage,
  received: { readonly isRedelivered: boolean },
  clock: () => Date,
): Promise<void> {
  addLogFields({ workspace_id: message.workspaceId, webhook_id: message.webhookId });
  switch (message.kind) {
    case 'attempt':
      return runAttempt({ message, ...received }, clock);
    case 'release':
      return releaseHeld(message, message.after, clock());
    case 'erase':
      return eraseLog(message);
  }
}

/** A run ends well before the worker's timeout; a message continues it from there. */
const releasePageSize = 100;
const releasePagesPerRun = 10;

/** Queues the deliveries that were held back while the webhook was disabled and are still within their retry window. */
async function releaseHeld(
  { workspaceId, webhookId }: WebhookPosition,
  start: string | undefined,
  now: Date,
): Promise<void> {
  const position = { workspaceId, webhookId };
  const from = firstIdAt('whd', addSeconds(now, -webhookRetryWindowSeconds));
  let after = start;
  for (let count = 0; count < releasePagesPerRun; count += 1) {
    const page = await listDeliveries(position, { limit: releasePageSize, after, from, now });
    const held = page.deliveries.filter(isHeld);
    const released = await Promise.all(held.map((delivery) => release(delivery, now)));
    await sendWebhookMessages(released.filter((message) => message !== null));
    if (page.last === null) return;
    after = page.last;
  }
  await sendWebhookMessages([{ kind: 'release', ...position, after }]);
}

/** The write comes before the message: if the message is lost, the sweeper finds the delivery a minute later. */
async function release(delivery: Delivery, now: Date): Promise<AttemptMessage | null> {
  const released = await releaseDelivery(delivery, now);
  return released && attemptMessage(released);
}

/** DynamoDB deletes 25 items a call. */
const erasePageSize = 25;
const erasePagesPerRun = 200;

/** Deletes the delivery log of a deleted webhook and the schedules of its retries. */
async function eraseLog({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  const position = { workspaceId, webhookId };
  if (await getWebhook(position)) return;
  for (let count = 0; count < erasePagesPerRun; count += 1) {
    const deliveries = await listAnyDeliveries(position, erasePageSize);
    if (deliveries.length === 0) return closeErasure(position);
    await Promise.all(deliveries.filter(hasSchedule).map(({ deliveryId }) => cancelScheduledAttempt(deliveryId)));
    await deleteDeliveries(deliveries);
  }
  await sendWebhookMessages([{ kind: 'erase', ...position }]);
}

/** EventBridge Scheduler handles delays that are too long for the queue. */
function hasSchedule({ status, tries }: Delivery): boolean {
  return status === 'pending' && (webhookRetryDelaysSeconds[tries - 1] ?? 0) > longestDelaySeconds;
}
