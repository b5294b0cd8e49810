import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { testWebhookRoute } from '../../contract/routes/webhooks.ts';
import { createId } from '../../domain/token/identifier.ts';
import { type AttemptOutcome, attemptsOf, type Delivery, newDelivery } from '../../domain/webhook/delivery.ts';
import { eventBody } from '../../domain/webhook/event.ts';
import { testEventType } from '../../domain/webhook/eventType.ts';
import { addSeconds } from '../../platform/clock.ts';
import { addDelivery, deleteDeliveries } from '../../store/webhook/deliveries.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { findWebhook } from '../webhooks/find.ts';
import { shownError } from '../webhooks/shown.ts';
import { noteAccepted } from './health.ts';
import { postEvent } from './post.ts';

/** One attempt with an event that nothing caused; it stands in the log once its outcome is known. */
export const testWebhook = operatorVerb(
  { action: 'webhook.test', needs: 'change', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId, language, now }: Context,
    { id: webhookId }: Input<typeof testWebhookRoute>,
  ): Promise<Output<typeof testWebhookRoute>> => {
    const webhook = await findWebhook(workspaceId, webhookId);
    const eventId = createId('evt', now);
    const body = eventBody({ id: eventId, type: testEventType, at: now, data: { test: true } });
    const position = { workspaceId, webhookId, deliveryId: createId('whd', now) };
    const fresh = newDelivery(position, { eventId, eventType: testEventType, body, createdAt: now });
    const outcome = await postEvent(webhook, fresh, now);
    const delivery = tried(fresh, outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
    await addToLog(delivery);
    if (outcome.accepted) await noteAccepted(webhook);
    return {
      object: 'webhook_test',
      delivery_id: delivery.deliveryId,
      status: delivery.status,
      attempts: attemptsOf(delivery),
      response_status: outcome.status,
      error: shownError(delivery, language),
    };
  },
);

/** Settled by its first attempt, whatever came of it: nobody waits for a retry. */
function tried(delivery: Delivery, outcome: AttemptOutcome, at: Date): Delivery {
  return {
    ...delivery,
    status: outcome.accepted ? 'delivered' : 'failed',
    tries: 1,
    responseStatus: outcome.status,
    responseBody: outcome.body,
    error: outcome.error,
    durationMilliseconds: outcome.durationMilliseconds,
    updatedAt: at,
  };
}

/** A webhook that was deleted during the attempt has no log any more, and nothing may be left in its place. */
async function addToLog(delivery: Delivery): Promise<void> {
  await addDelivery(delivery);
  if (await getWebhook(delivery)) return;
  await deleteDeliveries([delivery]);
  throw new ServiceError('not_found');
}
