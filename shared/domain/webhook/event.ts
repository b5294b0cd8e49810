import { derivedIdAt } from '../token/identifier.ts';
import { type Delivery, heldBack, type Lane, newDelivery } from './delivery.ts';
import { heldUntil } from './deliveryDecision.ts';
import type { DeliveredType, EventType } from './eventType.ts';
import type { Webhook } from './webhook.ts';

/** Something that happened in a workspace. The event's id derives from `cause` and `at`: the same make the same event. */
export interface NewEvent {
  readonly type: EventType;
  readonly cause: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** `live` when it is left out. */
  readonly lane?: Lane;
}

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
  const eventId = derivedIdAt('evt', event.at, event.cause);
  const body = eventBody({ id: eventId, type: event.type, at: event.at, data: event.data });
  return asking.map(({ webhookId, enabled }) => {
    const deliveryId = derivedIdAt('whd', event.at, `${eventId}#${webhookId}`);
    const delivered = { eventId, eventType: event.type, body, createdAt: event.at };
    const delivery = newDelivery({ workspaceId, webhookId, deliveryId }, delivered, event.lane);
    return enabled ? { ...delivery, dueAt: now } : { ...delivery, error: heldBack, dueAt: heldUntil(event.at) };
  });
}

/** The bytes that receivers get, at every attempt the same. */
export function eventBody(event: { id: string; type: DeliveredType; at: Date; data: unknown }): string {
  return JSON.stringify({ id: event.id, type: event.type, created_at: event.at.toISOString(), data: event.data });
}
