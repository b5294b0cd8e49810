import { webhookRetryWindowSeconds } from './retry.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What the rules look at in a delivery. Times are moments, `tries` the automatic attempts that were made. */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  /** Until then another worker is at it. */
  readonly claimedUntil: Date | null;
}

export type DeliveryDecision =
  | { readonly kind: 'attempt' }
  /** The subscription is gone, and with it everything of its log. */
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
  subscription: { readonly enabled: boolean } | null,
  delivery: DeliveryState | null,
  message: { readonly tries: number; readonly isRedelivered: boolean },
  now: Date,
): DeliveryDecision {
  if (!subscription) return { kind: 'erase' };
  if (delivery?.status !== 'pending') return { kind: 'drop' };
  if (delivery.tries !== message.tries && !message.isRedelivered) return { kind: 'drop' };
  if (!subscription.enabled) {
    const until = heldUntil(delivery.createdAt);
    return until > now ? { kind: 'hold', until } : { kind: 'abandon' };
  }
  const at = new Date(Math.max(delivery.nextAttemptAt?.getTime() ?? 0, delivery.claimedUntil?.getTime() ?? 0));
  return at.getTime() > now.getTime() + earlyMilliseconds ? { kind: 'later', at } : { kind: 'attempt' };
}

/** A disabled subscription holds a delivery back as long as retries would have gone on. */
export function heldUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + webhookRetryWindowSeconds * 1000);
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** An endpoint that never once succeeded for so long is disabled when the next delivery is given up. */
export const failingDaysUntilDisabled = 3;

export function isFailingTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysUntilDisabled * 86_400_000;
}

/**
 * Seconds until a message is looked at again that found its endpoint busy: ever longer, at most 10 minutes. `spread`
 * (0 to 1) keeps those that were put off together from coming back together.
 */
export function deferralSeconds(deferrals: number, spread: number): number {
  return Math.ceil(Math.min(2 ** Math.min(deferrals, 10), 600) * (0.5 + spread / 2));
}
