import type { Delivery } from '../../domain/webhook/delivery.ts';
import { webhookRetryDelaysSeconds } from '../../domain/webhook/retry.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { longestDelaySeconds } from '../../queue/delay.ts';
import { cancelScheduledAttempt } from '../../queue/scheduledAttempt.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { deleteDeliveries, listAnyDeliveries } from '../../store/webhook/deliveries.ts';
import { closeErasure } from '../../store/webhook/erasures.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';

/** DynamoDB deletes 25 items a call; a run ends well before its worker's time does, and a message takes it up again. */
const pageSize = 25;
const pagesPerRun = 200;

/** Deletes the log of a deleted webhook and the schedules of its retries. Doing it again is harmless. */
export async function eraseLog({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  const position = { workspaceId, webhookId };
  if (await getWebhook(position)) return;
  for (let page = 0; page < pagesPerRun; page += 1) {
    const deliveries = await listAnyDeliveries(position, pageSize);
    if (deliveries.length === 0) return closeErasure(position);
    await Promise.all(deliveries.filter(hasSchedule).map(({ deliveryId }) => cancelScheduledAttempt(deliveryId)));
    await deleteDeliveries(deliveries);
  }
  await sendWebhookMessages([{ kind: 'erase', ...position }]);
}

/** Only delays beyond what the queue can carry are schedules. */
function hasSchedule({ status, tries }: Delivery): boolean {
  return status === 'pending' && (webhookRetryDelaysSeconds[tries - 1] ?? 0) > longestDelaySeconds;
}
