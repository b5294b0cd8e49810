import type { NewEvent } from '../../domain/webhook/event.ts';
import { now } from '../../platform/clock.ts';
import { type Delivery, putDelivery } from '../../store/webhook/deliveries.ts';
import { listWebhooks, type Webhook } from '../../store/webhook/webhooks.ts';
import { deliveriesOf } from './deliveriesOf.ts';
import { dispatchDeliveries } from './dispatch.ts';

/**
 * Writes and queues the deliveries of events whose cause may be reported again and again (feedback): one that is there
 * already is left as it is. Rejects when not all could be written; doing it again is then harmless.
 */
export async function emitEvents(workspaceId: string, events: readonly NewEvent[]): Promise<void> {
  await dispatchDeliveries(await writeEvents(workspaceId, events, () => listWebhooks(workspaceId)));
}

/** The same without the queue: answers the deliveries that are new, for `dispatchDeliveries` to queue many at once. */
export async function writeEvents(
  workspaceId: string,
  events: readonly NewEvent[],
  webhooks: () => Promise<readonly Webhook[]>,
): Promise<Delivery[]> {
  const deliveries = await newDeliveries(workspaceId, events, webhooks);
  const isNew = await Promise.all(deliveries.map(putDelivery));
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
