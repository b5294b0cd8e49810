import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages, type WebhookMessage } from '../../queue/webhookDelivery.ts';
import { positionOf } from '../../store/webhook/deliveries.ts';
import { type DueItem, listDue, putOff } from '../../store/webhook/dueDeliveries.ts';
import { attemptMessage } from '../deliveries/attemptMessage.ts';

/** A message that is alive is there by now: EventBridge Scheduler is exact to a minute. */
const lateSeconds = 60;
/** A backlog is not something forgotten: what was queued again is left alone for a while. */
const patienceSeconds = 600;
const itemsPerShard = 250;
const parallel = 25;

/** Queues again what should have happened and did not: its message was never sent, or was lost. */
export async function sweepDueDeliveries(now: Date): Promise<void> {
  const due = await listDue(addSeconds(now, -lateSeconds), itemsPerShard);
  for (let start = 0; start < due.length; start += parallel) {
    const messages = await Promise.all(due.slice(start, start + parallel).map((item) => takeUp(item, now)));
    await sendWebhookMessages(messages.filter((message) => message !== null));
  }
  if (due.length > 0) logger.warn('Forgotten deliveries were queued again.', { count: due.length });
}

async function takeUp(item: DueItem, now: Date): Promise<WebhookMessage | null> {
  const found = await putOff(item, addSeconds(now, patienceSeconds));
  if (found === null) return null;
  if (found !== 'erasure') return { ...attemptMessage(found), twin: true };
  const { workspaceId, webhookId } = positionOf(item);
  return { kind: 'erase', workspace_id: workspaceId, webhook_id: webhookId };
}
