import { webhookRetryDelaysSeconds } from '../../domain/webhook/retry.ts';
import { cancelScheduledAttempt, longestDelaySeconds, sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { erasureKey, slotsKey } from '../../store/table/keys.ts';
import { type Delivery, deleteDeliveries, listAnyDeliveries } from '../../store/webhook/deliveries.ts';
import { closeErasure } from '../../store/webhook/dueDeliveries.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';

/** DynamoDB deletes 25 items a call; a run ends well before its worker's time does, and a message takes it up again. */
const pageSize = 25;
const pagesPerRun = 200;

/** Deletes the log of a deleted webhook and the schedules of its retries. Doing it again is harmless. */
export async function eraseLog(position: { workspaceId: string; webhookId: string }): Promise<void> {
  const { workspaceId, webhookId } = position;
  if (await getWebhook(workspaceId, webhookId)) return;
  for (let page = 0; page < pagesPerRun; page += 1) {
    const deliveries = await listAnyDeliveries(position, pageSize);
    if (deliveries.length === 0) {
      return closeErasure([slotsKey(workspaceId, webhookId), erasureKey(workspaceId, webhookId)]);
    }
    await Promise.all(deliveries.filter(hasSchedule).map(({ deliveryId }) => cancelScheduledAttempt(deliveryId)));
    await deleteDeliveries(deliveries);
  }
  await sendWebhookMessages([{ kind: 'erase', workspace_id: workspaceId, webhook_id: webhookId }]);
}

/** Only delays beyond what the queue can carry are schedules. */
function hasSchedule({ record }: Delivery): boolean {
  return record.status === 'pending' && (webhookRetryDelaysSeconds[record.tries - 1] ?? 0) > longestDelaySeconds;
}
