import { nextAttemptAt } from '../../domain/webhook/retry.ts';
import { type AttemptMessage, sendAttemptAt } from '../../queue/webhookDelivery.ts';
import { changeDelivery, type Delivery, type DeliveryRecord, dueKeys } from '../../store/webhook/deliveries.ts';
import type { AttemptOutcome } from './post.ts';

/** What an attempt leaves in the record besides the delivery's own state. */
export function traceOf(outcome: AttemptOutcome, at: Date) {
  const set = {
    duration_ms: outcome.durationMilliseconds,
    updated_at: at.toISOString(),
    ...(outcome.status !== null && { response_status: outcome.status }),
    ...(outcome.body !== null && { response_body: outcome.body }),
    ...(outcome.error !== null && { error: outcome.error }),
  };
  const absent = (['response_status', 'response_body', 'error'] as const).filter((name) => !(name in set));
  return { set, absent };
}

/** The fields of a delivery that is still to be attempted. */
export const openFields = ['next_attempt_at', 'claimed_until', 'due_pk', 'due_sk'] as const;

/**
 * Writes down an automatic attempt and asks for the next one when there is one to come. Null when something else
 * settled the delivery meanwhile (a replay, a twin of the message): that word stands.
 */
export async function settleAttempt(
  delivery: Delivery,
  outcome: AttemptOutcome,
  message: AttemptMessage,
  at: Date,
): Promise<DeliveryRecord | null> {
  const tries = delivery.record.tries + 1;
  const next = outcome.accepted ? null : nextAttemptAt(tries, at);
  const { set, absent } = traceOf(outcome, at);
  const settled = await changeDelivery(delivery, {
    ...(next
      ? {
          set: { ...set, tries, next_attempt_at: next.toISOString(), ...dueKeys(delivery.deliveryId, next) },
          remove: [...absent, 'claimed_until'],
        }
      : {
          set: { ...set, tries, status: outcome.accepted ? 'delivered' : 'failed' },
          remove: [...absent, ...openFields],
        }),
    expect: { status: 'pending', tries: delivery.record.tries },
  });
  if (settled && next) await sendAttemptAt({ ...message, tries, deferrals: 0, twin: false }, next, at);
  return settled?.record ?? null;
}
