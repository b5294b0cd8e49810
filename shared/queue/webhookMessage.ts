import * as z from 'zod';
import { type Delivery, type DeliveryPosition, type Lane, lanes } from '../domain/webhook/delivery.ts';
import type { WebhookPosition } from '../domain/webhook/webhook.ts';

/** Make the attempt that follows `tries` earlier ones. */
export interface AttemptMessage extends DeliveryPosition {
  readonly kind: 'attempt';
  readonly lane: Lane;
  readonly tries: number;
  /** How often it was deferred because its endpoint was busy. */
  readonly deferrals: number;
  /** True when another message may ask for the same attempt. */
  readonly twin: boolean;
}

/** The message that requests the next attempt of a delivery. */
export function attemptMessage({ workspaceId, webhookId, deliveryId, lane, tries }: Delivery): AttemptMessage {
  return { kind: 'attempt', workspaceId, webhookId, deliveryId, lane, tries, deferrals: 0, twin: false };
}

/** The webhook was enabled: queue the deliveries that were held back, continuing after this one. */
interface ReleaseMessage extends WebhookPosition {
  readonly kind: 'release';
  readonly after?: string | undefined;
}

/** The webhook was deleted: delete its log and its schedules. */
interface EraseMessage extends WebhookPosition {
  readonly kind: 'erase';
}

export type WebhookMessage = AttemptMessage | ReleaseMessage | EraseMessage;

const position = { workspace_id: z.string(), webhook_id: z.string() };

/** The format in the queue. Messages outlive a release, so missing fields have defaults. */
const wire = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('attempt'),
    ...position,
    delivery_id: z.string(),
    lane: z.enum(lanes).catch('live'),
    tries: z.int().nonnegative(),
    deferrals: z.int().nonnegative().default(0),
    twin: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('release'), ...position, after: z.string().optional() }),
  z.object({ kind: z.literal('erase'), ...position }),
]);

export function parseWebhookMessage(body: string): WebhookMessage {
  const { workspace_id: workspaceId, webhook_id: webhookId, ...message } = wire.parse(JSON.parse(body));
  if (message.kind !== 'attempt') return { ...message, workspaceId, webhookId };
  const { delivery_id: deliveryId, ...attempt } = message;
  return { ...attempt, workspaceId, webhookId, deliveryId };
}

export function wireWebhookMessage({ workspaceId, webhookId, ...message }: WebhookMessage): string {
  const at = { workspace_id: workspaceId, webhook_id: webhookId };
  if (message.kind !== 'attempt') return JSON.stringify({ ...message, ...at });
  const { deliveryId, ...attempt } = message;
  return JSON.stringify({ ...attempt, ...at, delivery_id: deliveryId });
}
