import type { Delivery } from './delivery.ts';
import { webhookRetryWindowSeconds } from './retry.ts';
import type { Webhook } from './webhook.ts';

/** What the decision looks at in a delivery. */
export type DeliveryState = Pick<Delivery, 'status' | 'tries' | 'createdAt' | 'nextAttemptAt' | 'claimedUntil'>;

export type DeliveryDecision =
  | { readonly kind: 'attempt' }
  /** The webhook is gone, and with it everything of its log. */
  | { readonly kind: 'erase' }
  /** Nothing is left to do, or another message does it. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'hold'; readonly until: Date }
  | { readonly kind: 'abandon' }
  | { readonly kind: 'later'; readonly at: Date };

/** SQS delays are exact to a second. */
const earlyMilliseconds = 1000;

/**
 * What to do with a queue message that asks for the attempt after `tries` others. Messages come twice, late, early, and
 * after the world has changed: only the stored delivery decides.
 */
export function decideDelivery(
  webhook: Pick<Webhook, 'enabled'> | null,
  delivery: DeliveryState | null,
  message: { readonly tries: number; readonly isRedelivered: boolean },
  now: Date,
): DeliveryDecision {
  if (!webhook) return { kind: 'erase' };
  if (delivery?.status !== 'pending') return { kind: 'drop' };
  if (delivery.tries !== message.tries && !message.isRedelivered) return { kind: 'drop' };
  if (!webhook.enabled) {
    const until = heldUntil(delivery.createdAt);
    return until > now ? { kind: 'hold', until } : { kind: 'abandon' };
  }
  const at = new Date(Math.max(delivery.nextAttemptAt?.getTime() ?? 0, delivery.claimedUntil?.getTime() ?? 0));
  return at.getTime() > now.getTime() + earlyMilliseconds ? { kind: 'later', at } : { kind: 'attempt' };
}

/** A disabled webhook holds a delivery back as long as retries would have gone on. */
export function heldUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + webhookRetryWindowSeconds * 1000);
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/**
 * Seconds until a message is looked at again that found its endpoint busy: ever longer, at most 10 minutes. `spread`
 * (0 to 1) keeps those that were put off together from coming back together.
 */
export function deferralSeconds(deferrals: number, spread: number): number {
  return Math.ceil(Math.min(2 ** Math.min(deferrals, 10), 600) * (0.5 + spread / 2));
}
