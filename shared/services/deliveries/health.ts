import { isFailingTooLong } from '../../domain/webhook/deliveryDecision.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { changeWebhook, type Webhook } from '../../store/webhook/webhooks.ts';

/** An attempt without an answer for so long makes its endpoint a slow one, for so long. */
export const slowAfterSeconds = 2;
const slowSeconds = 60;

export const isSlow = (webhook: Webhook, now: Date): boolean => (webhook.slow_until ?? '') > now.toISOString();

/** Notes that an endpoint answers slowly. Attempts everywhere then need a slot, so that it keeps few workers busy. */
export async function noteSlow(webhook: Webhook, now: Date): Promise<void> {
  const until = addSeconds(now, slowSeconds);
  if ((webhook.slow_until ?? '') > addSeconds(now, slowSeconds / 2).toISOString()) return;
  await changeWebhook(webhook.workspace_id, webhook.webhook_id, {
    set: { slow_until: until.toISOString() },
    expect: { slow_until: webhook.slow_until },
  });
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
  const since = webhook.failing_since;
  if (outcome.accepted) {
    await noteAccepted(webhook);
  } else if (!since) {
    if (outcome.tries > 1)
      await change(webhook, { set: { failing_since: now.toISOString() }, expect: { failing_since: since } });
  } else if (outcome.isGivenUp && isFailingTooLong(new Date(since), now)) {
    await disable(webhook, since, now);
  }
}

/** An attempt was taken, a test or a replay too: the endpoint has not failed without a break. */
export async function noteAccepted(webhook: Webhook): Promise<void> {
  const since = webhook.failing_since;
  if (since) await change(webhook, { remove: ['failing_since'], expect: { failing_since: since } });
}

async function disable(webhook: Webhook, since: string, now: Date): Promise<void> {
  const disabled = await change(webhook, {
    set: { enabled: false, disabled_reason: 'failing', updated_at: now.toISOString() },
    expect: { enabled: true, failing_since: since },
  });
  if (!disabled) return;
  logger.warn('An endpoint that failed for days was disabled.', {
    workspace_id: webhook.workspace_id,
    webhook_id: webhook.webhook_id,
    failing_since: since,
  });
}

function change(webhook: Webhook, changes: Parameters<typeof changeWebhook>[2]): Promise<Webhook | null> {
  return changeWebhook(webhook.workspace_id, webhook.webhook_id, changes);
}
