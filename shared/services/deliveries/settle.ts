import type { AttemptOutcome, Delivery } from '../../domain/webhook/delivery.ts';
import { nextAttemptAt } from '../../domain/webhook/retry.ts';
import { sendAttemptAt } from '../../queue/scheduledAttempt.ts';
import { recordAttempt } from '../../store/webhook/deliveryChanges.ts';
import { attemptMessage } from './attemptMessage.ts';

/**
 * Writes down an automatic attempt and asks for the next one when there is one to come. Null when something else
 * settled the delivery meanwhile.
 */
export async function settleAttempt(delivery: Delivery, outcome: AttemptOutcome, at: Date): Promise<Delivery | null> {
  const next = outcome.accepted ? null : nextAttemptAt(delivery.tries + 1, at);
  const settled = await recordAttempt(delivery, outcome, next, at);
  if (settled && next) await sendAttemptAt(attemptMessage(settled), next, at);
  return settled;
}
