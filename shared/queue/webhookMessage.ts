import * as z from 'zod';
import { type DeliveryPosition, type Lane, lanes } from '../domain/webhook/delivery.ts';
import type { WebhookPosition } from '../domain/webhook/webhook.ts';

/** Make the attempt that follows `tries` others. */
export interface AttemptMessage extends DeliveryPosition {
  readonly kind: 'attempt';
  readonly lane: Lane;
  readonly tries: number;
  /** How often it found its endpoint busy and was put off. */
  readonly deferrals: number;
  /** True when another message may ask for the same attempt. */
  readonly twin: boolean;
}

/** The webhook was enabled: send what was held back, in the log after this delivery. */
interface ReleaseMessage extends WebhookPosition {
  readonly kind: 'release';
  readonly after?: string | undefined;
}

/** The webhook was deleted: its log and its schedules follow. */
interface EraseMessage extends WebhookPosition {
  readonly kind: 'erase';
}

export type WebhookMessage = AttemptMessage | ReleaseMessage | EraseMessage;

const position = { workspace_id: z.string(), webhook_id: z.string() };

/** As it travels. Messages outlive a release: what they lack has a default. */
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
  const { delivery_id: deliveryId, ...asked } = message;
  return { ...asked, workspaceId, webhookId, deliveryId };
}

export function wireWebhookMessage({ workspaceId, webhookId, ...message }: WebhookMessage): string {
  const at = { workspace_id: workspaceId, webhook_id: webhookId };
  if (message.kind !== 'attempt') return JSON.stringify({ ...message, ...at });
  const { deliveryId, ...asked } = message;
  return JSON.stringify({ ...asked, ...at, delivery_id: deliveryId });
}
