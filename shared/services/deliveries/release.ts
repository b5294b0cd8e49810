import { firstIdAt } from '../../domain/token/identifier.ts';
import { type Delivery, isHeld } from '../../domain/webhook/delivery.ts';
import { webhookRetryWindowSeconds } from '../../domain/webhook/retry.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { addSeconds } from '../../platform/clock.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import type { AttemptMessage } from '../../queue/webhookMessage.ts';
import { listDeliveries } from '../../store/webhook/deliveries.ts';
import { releaseDelivery } from '../../store/webhook/deliveryChanges.ts';
import { attemptMessage } from './attemptMessage.ts';

const pageSize = 100;
/** A run ends well before its worker's time does; a message takes it up where it ended. */
const pagesPerRun = 10;

/** Queues what was held back while a webhook was disabled and is still within its retry window. */
export async function releaseHeld(
  { workspaceId, webhookId }: WebhookPosition,
  start: string | undefined,
  now: Date,
): Promise<void> {
  const position = { workspaceId, webhookId };
  const from = firstIdAt('whd', addSeconds(now, -webhookRetryWindowSeconds));
  let after = start;
  for (let run = 0; run < pagesPerRun; run += 1) {
    const page = await listDeliveries(position, { limit: pageSize, after, from, now });
    const held = page.deliveries.filter(isHeld);
    const released = await Promise.all(held.map((delivery) => release(delivery, now)));
    await sendWebhookMessages(released.filter((message) => message !== null));
    if (page.last === null) return;
    after = page.last;
  }
  await sendWebhookMessages([{ kind: 'release', ...position, after }]);
}

/** The mark goes first: were the message lost, the sweeper would find the delivery a minute later. */
async function release(delivery: Delivery, now: Date): Promise<AttemptMessage | null> {
  const released = await releaseDelivery(delivery, now);
  return released && attemptMessage(released);
}
