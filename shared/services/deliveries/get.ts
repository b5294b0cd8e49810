import type { Input, Output } from '../../contract/route.ts';
import type { getDeliveryRoute } from '../../contract/routes/webhooks.ts';
import { attemptLog } from '../../domain/webhook/delivery.ts';
import type { Context } from '../context.ts';
import { shownDelivery, shownError } from '../webhooks/shown.ts';
import { findDelivery } from './find.ts';
import { eventHeaders } from './post.ts';

/** One entry of the log with all that was sent, and each attempt. */
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
      error: shownError(attempt, context.language),
      duration_ms: attempt.durationMilliseconds,
    })),
  };
}
