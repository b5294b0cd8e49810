import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import type { WebhookMessage } from '../../queue/webhookMessage.ts';
import { type DueWork, listDueWork, putOffAttempt, putOffErasure } from '../../store/webhook/dueDeliveries.ts';
import { attemptMessage } from '../deliveries/attemptMessage.ts';
import { Run } from './run.ts';

/** A message that is alive is there by now: EventBridge Scheduler is exact to a minute. */
const lateSeconds = 60;
/** A backlog is not something forgotten: what was queued again is left alone for a while. */
const patienceSeconds = 600;
const itemsPerShard = 250;
const parallel = 25;

/** Queues again what should have happened and did not: its message was never sent, or was lost. */
export async function sweepDueDeliveries(now: Date): Promise<void> {
  const due = await listDueWork(addSeconds(now, -lateSeconds), itemsPerShard);
  const run = new Run();
  let queued = 0;
  // What is put off has its message before more is.
  for (let start = 0; start < due.length; start += parallel) {
    const taken = await run.each(parallel, due.slice(start, start + parallel), (work) => takeUp(work, now));
    const messages = taken.filter((message) => message !== null);
    await sendWebhookMessages(messages);
    queued += messages.length;
  }
  if (queued > 0) logger.warn('Forgotten deliveries were queued again.', { count: queued });
  run.end();
}

async function takeUp(work: DueWork, now: Date): Promise<WebhookMessage | null> {
  const until = addSeconds(now, patienceSeconds);
  if (work.kind === 'erasure') {
    const { workspaceId, webhookId } = work;
    return (await putOffErasure(work, until)) ? { kind: 'erase', workspaceId, webhookId } : null;
  }
  const delivery = await putOffAttempt(work, until);
  return delivery && { ...attemptMessage(delivery), twin: true };
}
