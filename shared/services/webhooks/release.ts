import { firstIdAt } from '../../domain/identifier.ts';
import { webhookRetryWindowSeconds } from '../../domain/retry.ts';
import { addSeconds } from '../../platform/clock.ts';
import { type AttemptMessage, sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { changeDelivery, type Delivery, dueKeys, listDeliveries } from '../../store/deliveries.ts';
import { attemptMessage } from './attemptMessage.ts';

/** Queues what was held back while a webhook was disabled and is still within its retry window. */
export async function releaseHeld(position: { workspaceId: string; webhookId: string }, now: Date): Promise<void> {
  const from = firstIdAt('whd', addSeconds(now, -webhookRetryWindowSeconds));
  let after: string | undefined;
  do {
    const page = await listDeliveries(position, { limit: 100, after, from, now });
    const held = page.deliveries.filter(({ record }) => record.status === 'pending' && record.error === 'held');
    const released = await Promise.all(held.map((delivery) => release(delivery, now)));
    await sendWebhookMessages(released.filter((message) => message !== null));
    after = page.last ?? undefined;
  } while (after);
}

/** The mark goes first: were the message lost, the sweeper would find the delivery a minute later. */
async function release(delivery: Delivery, now: Date): Promise<AttemptMessage | null> {
  const { tries } = delivery.record;
  const released = await changeDelivery(delivery, {
    set: { updated_at: now.toISOString(), ...dueKeys(delivery.deliveryId, now) },
    remove: ['error'],
    expect: { status: 'pending', error: 'held', tries },
  });
  return released && attemptMessage(released);
}
