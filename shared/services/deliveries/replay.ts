import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { replayDeliveryRoute } from '../../contract/routes/webhooks.ts';
import { isId } from '../../domain/token/identifier.ts';
import { attemptsOf, type Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { addSeconds } from '../../platform/clock.ts';
import { getDelivery } from '../../store/webhook/deliveries.ts';
import { recordReplay } from '../../store/webhook/deliveryChanges.ts';
import type { Context } from '../context.ts';
import { shownError } from '../webhooks/shown.ts';
import { noteAccepted } from './health.ts';
import { postEvent } from './post.ts';

/** One attempt more, with the bytes of the first one, whatever became of the delivery. */
export async function replayDelivery(
  context: Context,
  input: Input<typeof replayDeliveryRoute>,
): Promise<Output<typeof replayDeliveryRoute>> {
  const { language, now } = context;
  const { webhook, delivery } = await find(context, input);
  const outcome = await postEvent(webhook, delivery, now);
  const replayed = await recordReplay(delivery, outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
  if (!replayed) throw new ServiceError('not_found');
  if (outcome.accepted) await noteAccepted(webhook);
  return {
    object: 'webhook_delivery',
    id: delivery.deliveryId,
    status: replayed.status,
    attempts: attemptsOf(replayed),
    response_status: outcome.status,
    error: shownError(replayed, language),
  };
}

async function find(
  { workspaceId, now }: Context,
  { id: webhookId, deliveryId }: Input<typeof replayDeliveryRoute>,
): Promise<{ webhook: Webhook; delivery: Delivery }> {
  if (!isId('whk', webhookId) || !isId('whd', deliveryId)) throw new ServiceError('not_found');
  const { webhook, delivery } = await getDelivery({ workspaceId, webhookId, deliveryId });
  if (!webhook || !delivery || delivery.expiresAt <= now) throw new ServiceError('not_found');
  return { webhook, delivery };
}
