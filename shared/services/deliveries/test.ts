import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { testWebhookRoute } from '../../contract/routes/webhooks.ts';
import { createId } from '../../domain/token/identifier.ts';
import { testEventType } from '../../domain/webhook/eventType.ts';
import { addSeconds } from '../../platform/clock.ts';
import { type Delivery, deleteDeliveries, putDelivery } from '../../store/webhook/deliveries.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { eventBody, newRecord } from '../events/deliveriesOf.ts';
import { findWebhook } from '../webhooks/find.ts';
import { attemptsOf, errorOf } from '../webhooks/record.ts';
import { noteAccepted } from './health.ts';
import { postEvent } from './post.ts';
import { traceOf } from './settle.ts';

/** One attempt with an event that nothing caused; it stands in the log once its outcome is known. */
export async function testWebhook(
  { workspaceId, language, now }: Context,
  { id }: Input<typeof testWebhookRoute>,
): Promise<Output<typeof testWebhookRoute>> {
  const webhook = await findWebhook(workspaceId, id);
  const event = { id: createId('evt', now), type: testEventType, at: now } as const;
  const fresh = newRecord({ ...event, body: eventBody({ ...event, data: { test: true } }) });
  const outcome = await postEvent(webhook, fresh, now);
  const { set } = traceOf(outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
  const record = { ...fresh, ...set, tries: 1, status: outcome.accepted ? 'delivered' : 'failed' } as const;
  const deliveryId = createId('whd', now);
  await addToLog({ workspaceId, webhookId: id, deliveryId, record });
  if (outcome.accepted) await noteAccepted(webhook);
  return {
    object: 'webhook_test',
    delivery_id: deliveryId,
    status: record.status,
    attempts: attemptsOf(record),
    response_status: outcome.status,
    error: errorOf(record, language),
  };
}

/** A webhook that was deleted during the attempt has no log any more, and nothing may be left in its place. */
async function addToLog(delivery: Delivery): Promise<void> {
  await putDelivery(delivery);
  if (await getWebhook(delivery.workspaceId, delivery.webhookId)) return;
  await deleteDeliveries([delivery]);
  throw new ServiceError('not_found');
}
