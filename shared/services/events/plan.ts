import type { EventType } from '../../domain/webhook/eventType.ts';
import { now } from '../../platform/clock.ts';
import type { TransactionPart } from '../../store/table/table.ts';
import { deliveryPut } from '../../store/webhook/deliveries.ts';
import { listWebhooks, type Webhook } from '../../store/webhook/webhooks.ts';
import { deliveriesOf } from './deliveriesOf.ts';
import { dispatchDeliveries } from './dispatch.ts';

export { type EventType, eventTypes } from '../../domain/webhook/eventType.ts';

/** Something that happened in a workspace. The event's id derives from `cause`: the same cause makes the same event. */
export interface NewEvent {
  readonly type: EventType;
  readonly cause: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** `writes` belong into the transaction of the state change; `dispatch` comes after it, and the sweeper if it never does. */
export interface EventPlan {
  readonly writes: readonly TransactionPart[];
  dispatch(): Promise<void>;
}

/**
 * One delivery for each webhook that asked for an event. Reads the workspace's webhooks once, when there is an event,
 * unless the caller has just read them for many.
 */
export async function planEvents(
  workspaceId: string,
  events: readonly NewEvent[],
  known?: readonly Webhook[],
): Promise<EventPlan> {
  const webhooks = events.length > 0 ? (known ?? (await listWebhooks(workspaceId))) : [];
  const deliveries = events.flatMap((event) => deliveriesOf(workspaceId, event, webhooks, now()));
  return {
    writes: deliveries.map((delivery) => ({ Put: deliveryPut(delivery) })),
    dispatch: () => dispatchDeliveries(deliveries),
  };
}
