import { isFailingTooLong, type Webhook } from '../../domain/webhook/webhook.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { clearFailing, disableAsFailing, markFailing, markSlow } from '../../store/webhook/webhooks.ts';

/** An attempt without an answer for so long makes its endpoint a slow one, for so long. */
export const slowAfterSeconds = 2;
const slowSeconds = 60;

/** Notes that an endpoint answers slowly. Attempts everywhere then need a slot, so that it keeps few workers busy. */
export async function noteSlow(webhook: Webhook, now: Date): Promise<void> {
  const isFresh = webhook.slowUntil !== null && webhook.slowUntil > addSeconds(now, slowSeconds / 2);
  if (!isFresh) await markSlow(webhook, addSeconds(now, slowSeconds));
}

/**
 * Keeps account of how long an endpoint has failed. A first attempt that fails is no news, so that an endpoint that
 * fails now and then costs no write. One that failed for three days is disabled when a delivery is given up.
 */
export async function noteOutcome(
  webhook: Webhook,
  outcome: { readonly accepted: boolean; readonly tries: number; readonly isGivenUp: boolean },
  now: Date,
): Promise<void> {
  if (outcome.accepted) await noteAccepted(webhook);
  else if (!webhook.failingSince && outcome.tries > 1) await markFailing(webhook, now);
  else if (outcome.isGivenUp && isFailingTooLong(webhook, now)) await disable(webhook, now);
}

/** An attempt was taken, a test or a replay too: the endpoint has not failed without a break. */
export async function noteAccepted(webhook: Webhook): Promise<void> {
  if (webhook.failingSince) await clearFailing(webhook);
}

async function disable(webhook: Webhook, now: Date): Promise<void> {
  if (!(await disableAsFailing(webhook, now))) return;
  logger.warn('An endpoint that failed for days was disabled.', {
    workspace_id: webhook.workspaceId,
    webhook_id: webhook.webhookId,
    failing_since: webhook.failingSince?.toISOString(),
  });
}
