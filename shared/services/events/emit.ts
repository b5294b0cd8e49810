import type { Delivery } from '../../domain/webhook/delivery.ts';
import { deliveriesOf, type NewEvent } from '../../domain/webhook/event.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { now } from '../../platform/clock.ts';
import { addDelivery } from '../../store/webhook/deliveries.ts';

/**
 * Writes the deliveries of events whose cause may be reported again and again (feedback): one that is there already is
 * left as it is. Answers those that are new, for `dispatchDeliveries` to queue. Rejects when not all could be written;
 * doing it again is then harmless.
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

/** One delivery for each webhook that asked for an event. The webhooks are read when there is an event. */
export async function newDeliveries(
  workspaceId: string,
  events: readonly NewEvent[],
  webhooks: () => Promise<readonly Webhook[]>,
): Promise<Delivery[]> {
  if (events.length === 0) return [];
  const known = await webhooks();
  return events.flatMap((event) => deliveriesOf(workspaceId, event, known, now()));
}
