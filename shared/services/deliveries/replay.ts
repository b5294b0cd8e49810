import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { replayDeliveryRoute } from '../../contract/routes/webhooks.ts';
import { attemptsOf } from '../../domain/webhook/delivery.ts';
import { addSeconds } from '../../platform/clock.ts';
import { recordReplay } from '../../store/webhook/deliveryChanges.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { shownError } from '../webhooks/shown.ts';
import { findDelivery } from './find.ts';
import { noteAccepted } from './health.ts';
import { postEvent } from './post.ts';

/** One attempt more, with the bytes of the first one, whatever became of the delivery. */
export const replayDelivery = operatorVerb(
  { action: 'webhook.replay', needs: 'change', subject: ({ deliveryId }) => deliveryId, byKeys: true },
  async (context: Context, input: Input<typeof replayDeliveryRoute>): Promise<Output<typeof replayDeliveryRoute>> => {
    const { language, now } = context;
    const { webhook, delivery } = await findDelivery(context, input);
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
  },
);
