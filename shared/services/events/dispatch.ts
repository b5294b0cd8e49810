import { type Delivery, isHeld } from '../../domain/webhook/delivery.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { attemptMessage } from '../deliveries/attemptMessage.ts';

/**
 * Puts new deliveries on the queue. What caused them is done already, so that a failure here fails nobody's call: the
 * sweeper finds what was not sent.
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
