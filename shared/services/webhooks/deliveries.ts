import type * as z from 'zod';
import { notFound } from '../../contract/notFound.ts';
import type { DeepReadonly, Input, Output, Result } from '../../contract/route.ts';
import type {
  getDeliveryRoute,
  listDeliveriesRoute,
  replayDeliveryRoute,
  testWebhookRoute,
} from '../../contract/routes/webhooks.ts';
import type { delivery as deliverySchema } from '../../contract/schemas/webhook.ts';
import { createId, isId } from '../../domain/identifier.ts';
import {
  type AttemptOutcome,
  attemptLog,
  attemptsOf,
  type Delivery,
  eventBody,
  newDelivery,
} from '../../domain/webhook/delivery.ts';
import { testEventType, type Webhook } from '../../domain/webhook/webhook.ts';
import type { Language } from '../../language/languages.ts';
import { addSeconds } from '../../platform/clock.ts';
import {
  addDelivery,
  deleteDeliveries,
  listDeliveries as loadDeliveries,
  getDelivery as loadDelivery,
} from '../../store/webhook/deliveries.ts';
import { recordReplay } from '../../store/webhook/deliveryChanges.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { deliveryErrorText } from './internal/deliveryErrors.ts';
import { eventHeaders, noteOutcome, postEvent } from './internal/endpoint.ts';
import { findWebhook } from './webhooks.ts';

/** The delivery log of a webhook, newest first. */
export async function listDeliveries(
  { workspaceId, language, now }: Context,
  { id, limit, after }: Input<typeof listDeliveriesRoute>,
): Promise<Result<typeof listDeliveriesRoute>> {
  await findWebhook(workspaceId, id);
  const page = await loadDeliveries({ workspaceId, webhookId: id }, { limit, after, now });
  return { entries: page.deliveries.map((delivery) => shownDelivery(delivery, language)), next: page.last };
}

/** One delivery with its whole request and each attempt. */
export async function getDelivery(
  context: Context,
  input: Input<typeof getDeliveryRoute>,
): Promise<Output<typeof getDeliveryRoute>> {
  const { delivery } = await findDelivery(context, input);
  return {
    ...shownDelivery(delivery, context.language),
    headers: eventHeaders(delivery),
    body: delivery.body,
    attempt_log: attemptLog(delivery).map((attempt) => ({
      at: attempt.at.toISOString(),
      replay: attempt.isReplay,
      response_status: attempt.responseStatus,
      error: errorText(attempt, context.language),
      duration_ms: attempt.durationMilliseconds,
    })),
  };
}

/** One more attempt with the same body, whatever the status of the delivery. */
export const replayDelivery = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.replay', needs: 'change', subject: ({ deliveryId }) => deliveryId, byKeys: 'unaudited' },
  async (context: Context, input: Input<typeof replayDeliveryRoute>): Promise<Output<typeof replayDeliveryRoute>> => {
    const { language, now } = context;
    const { webhook, delivery } = await findDelivery(context, input);
    const outcome = await postEvent(webhook, delivery, now);
    const replayed = await recordReplay(delivery, outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
    if (!replayed) throw notFound('delivery');
    await noteOutcome(webhook, outcome, now);
    return {
      object: 'webhook_delivery',
      id: delivery.deliveryId,
      status: replayed.status,
      attempts: attemptsOf(replayed),
      response_status: outcome.status,
      error: errorText(replayed, language),
    };
  },
);

/** One attempt with a test event. It is logged when its outcome is known, and never retried. */
export const testWebhook = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.test', needs: 'change', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId, language, now }: Context,
    { id: webhookId }: Input<typeof testWebhookRoute>,
  ): Promise<Output<typeof testWebhookRoute>> => {
    const webhook = await findWebhook(workspaceId, webhookId);
    const eventId = createId('evt', now);
    const body = eventBody({ id: eventId, type: testEventType, at: now, data: { test: true } });
    const position = { workspaceId, webhookId, deliveryId: createId('whd', now) };
    const untried = newDelivery(position, { eventId, eventType: testEventType, body, createdAt: now });
    const outcome = await postEvent(webhook, untried, now);
    const delivery = settledByOneAttempt(untried, outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
    await addToLog(delivery);
    await noteOutcome(webhook, outcome, now);
    return {
      object: 'webhook_test',
      delivery_id: delivery.deliveryId,
      status: delivery.status,
      attempts: attemptsOf(delivery),
      response_status: outcome.status,
      error: errorText(delivery, language),
    };
  },
);

function settledByOneAttempt(delivery: Delivery, outcome: AttemptOutcome, at: Date): Delivery {
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

/** When the webhook was deleted during the attempt, its log is gone and must stay empty. */
async function addToLog(delivery: Delivery): Promise<void> {
  await addDelivery(delivery);
  if (await getWebhook(delivery)) return;
  await deleteDeliveries([delivery]);
  throw notFound('webhook');
}

/** Throws `not_found` for ids of another workspace and for a delivery that has expired. */
async function findDelivery(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  { id: webhookId, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<{ webhook: Webhook; delivery: Delivery }> {
  if (!isId('whk', webhookId) || !isId('whd', deliveryId)) throw notFound('delivery');
  const { webhook, delivery } = await loadDelivery({ workspaceId, webhookId, deliveryId });
  if (!webhook || !delivery || delivery.expiresAt <= now) throw notFound('delivery');
  return { webhook, delivery };
}

/** A delivery as the log shows it. */
export function shownDelivery(delivery: Delivery, language: Language): DeepReadonly<z.output<typeof deliverySchema>> {
  return {
    id: delivery.deliveryId,
    object: 'webhook_delivery',
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: attemptsOf(delivery),
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error: errorText(delivery, language),
    duration_ms: delivery.durationMilliseconds,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
  };
}

const errorText = (
  { error, responseStatus }: Pick<Delivery, 'error' | 'responseStatus'>,
  language: Language,
): string | null => (error === null ? null : deliveryErrorText(error, responseStatus)[language]);
