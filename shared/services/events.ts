import { type Delivery, deliveriesOf, isHeld, type NewEvent } from '../domain/webhook/delivery.ts';
import type { Webhook } from '../domain/webhook/webhook.ts';
import { now } from '../platform/clock.ts';
import { logger } from '../platform/logger.ts';
import { sendWebhookMessages } from '../queue/webhookDelivery.ts';
import { attemptMessage } from '../queue/webhookMessage.ts';
import { addDelivery } from '../store/webhook/deliveries.ts';

/**
 * Writes the deliveries of events that may be reported more than once, such as feedback: existing deliveries stay as
 * they are. Returns the new ones, for `dispatchDeliveries`. Idempotent, so a caller retries when it rejects.
 */
export async function writeEvents(
  workspaceId: string,
  events: readonly NewEvent[],
  webhooks: () => Promise<readonly Webhook[]>,
): Promise<Delivery[]> {
  const deliveries = await newDeliveries(workspaceId, events, webhooks);
  const isNew = await Promise.all(deliveries.map(addDelivery));
  return deliveries.filter((_, index) => isNew[index]);
}

/** One delivery for each webhook that subscribes to an event. `webhooks` is called only when there is an event. */
export async function newDeliveries(
  workspaceId: string,
  events: readonly NewEvent[],
  webhooks: () => Promise<readonly Webhook[]>,
): Promise<Delivery[]> {
  if (events.length === 0) return [];
  const known = await webhooks();
  return events.flatMap((event) => deliveriesOf(workspaceId, event, known, now()));
}

/**
 * Queues new deliveries. It never throws, because the change that the events report has happened already: the sweeper
 * queues what is missing.
 */
export async function dispatchDeliveries(deliveries: readonly Delivery[]): Promise<void> {
  const ready = deliveries.filter((delivery) => !isHeld(delivery));
  if (ready.length === 0) return;
  try {
    await sendWebhookMessages(ready.map(attemptMessage));
  } catch (error) {
    logger.error('Deliveries could not be queued; the sweeper will.', {
      error: error as Error,
      deliveries: ready.map(({ deliveryId }) => deliveryId),
    });
  }
}
