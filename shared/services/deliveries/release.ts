import { firstIdAt } from '../../domain/token/identifier.ts';
import { webhookRetryWindowSeconds } from '../../domain/webhook/retry.ts';
import { addSeconds } from '../../platform/clock.ts';
import { type AttemptMessage, sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { changeDelivery, type Delivery, dueKeys, listDeliveries } from '../../store/webhook/deliveries.ts';
import { attemptMessage } from './attemptMessage.ts';

const pageSize = 100;
/** A run ends well before its worker's time does; a message takes it up where it ended. */
const pagesPerRun = 10;

/** Queues what was held back while a webhook was disabled and is still within its retry window. */
export async function releaseHeld(
  position: { workspaceId: string; webhookId: string },
  start: string | undefined,
  now: Date,
): Promise<void> {
  const from = firstIdAt('whd', addSeconds(now, -webhookRetryWindowSeconds));
  let after = start;
  for (let run = 0; run < pagesPerRun; run += 1) {
    const page = await listDeliveries(position, { limit: pageSize, after, from, now });
    const held = page.deliveries.filter(({ record }) => record.status === 'pending' && record.error === 'held');
    const released = await Promise.all(held.map((delivery) => release(delivery, now)));
    await sendWebhookMessages(released.filter((message) => message !== null));
    if (page.last === null) return;
    after = page.last;
  }
  const { workspaceId, webhookId } = position;
  await sendWebhookMessages([{ kind: 'release', workspace_id: workspaceId, webhook_id: webhookId, after }]);
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
