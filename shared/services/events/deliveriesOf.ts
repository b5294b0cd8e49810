import { derivedIdAt, eventId } from '../../domain/token/identifier.ts';
import { heldUntil } from '../../domain/webhook/deliveryDecision.ts';
import type { NewEvent } from '../../domain/webhook/event.ts';
import type { DeliveredType } from '../../domain/webhook/eventType.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { type Delivery, type DeliveryRecord, dueKeys } from '../../store/webhook/deliveries.ts';
import type { Webhook } from '../../store/webhook/webhooks.ts';

/** How long the delivery log is kept. */
export const deliveryRetentionDays = 30;

/**
 * The deliveries that an event makes, one for each webhook that asked for its type. Their ids derive from the event and
 * the webhook, and their bodies are frozen here: an event that is reported again meets the same delivery.
 */
export function deliveriesOf(
  workspaceId: string,
  event: NewEvent,
  webhooks: readonly Webhook[],
  now: Date,
): Delivery[] {
  const asking = webhooks.filter(({ events }) => events.includes(event.type));
  if (asking.length === 0) return [];
  const id = eventId(event.cause);
  const body = eventBody({ id, type: event.type, at: event.at, data: event.data });
  return asking.map((webhook) => {
    const deliveryId = derivedIdAt('whd', event.at, `${id}#${webhook.webhook_id}`);
    const held = webhook.enabled ? {} : { error: 'held' };
    return {
      workspaceId,
      webhookId: webhook.webhook_id,
      deliveryId,
      record: {
        ...newRecord({ id, type: event.type, at: event.at, body }),
        ...held,
        ...dueKeys(deliveryId, webhook.enabled ? now : heldUntil(event.at)),
      },
    };
  });
}

/** What every delivery record begins with. */
export function newRecord(event: { id: string; type: DeliveredType; at: Date; body: string }): DeliveryRecord {
  return {
    event_id: event.id,
    event_type: event.type,
    body: event.body,
    status: 'pending',
    tries: 0,
    created_at: event.at.toISOString(),
    expires_at: epochSeconds(event.at) + deliveryRetentionDays * secondsInDay,
  };
}

/** The bytes that receivers get, at every attempt the same. */
export function eventBody(event: { id: string; type: string; at: Date; data: unknown }): string {
  return JSON.stringify({ id: event.id, type: event.type, created_at: event.at.toISOString(), data: event.data });
}
