import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { AttemptMessage } from '../../queue/webhookMessage.ts';

/** The message that asks for a delivery's next attempt. */
export function attemptMessage({ workspaceId, webhookId, deliveryId, lane, tries }: Delivery): AttemptMessage {
  return { kind: 'attempt', workspaceId, webhookId, deliveryId, lane, tries, deferrals: 0, twin: false };
}
