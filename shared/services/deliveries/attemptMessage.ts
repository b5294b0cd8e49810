import type { AttemptMessage } from '../../queue/webhookDelivery.ts';
import type { Delivery } from '../../store/webhook/deliveries.ts';

/** The message that asks for a delivery's next attempt. */
export function attemptMessage({ workspaceId, webhookId, deliveryId, record }: Delivery): AttemptMessage {
  return {
    kind: 'attempt',
    workspace_id: workspaceId,
    webhook_id: webhookId,
    delivery_id: deliveryId,
    tries: record.tries,
    deferrals: 0,
    twin: false,
  };
}
