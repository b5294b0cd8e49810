import { derivedIdAt } from '../identifier.ts';
import type { DeliveredType, Webhook, WebhookEventType, WebhookPosition } from './webhook.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Each lane has its own queue, so that events of campaigns and imports (`bulk`) never delay single ones (`live`). */
export const lanes = ['live', 'bulk'] as const;
export type Lane = (typeof lanes)[number];

export interface DeliveryPosition extends WebhookPosition {
  readonly deliveryId: string;
}

/** The event of a delivery. Every attempt posts the same `body`, byte for byte. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly eventType: DeliveredType;
  readonly body: string;
  readonly createdAt: Date;
}

/** The result of the last attempt. */
interface LastAttempt {
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** A code of shared/services/webhooks/internal/deliveryErrors.ts. */
  readonly error: string | null;
  readonly durationMilliseconds: number | null;
}

/** An attempt in the log of a delivery. */
export interface LoggedAttempt {
  readonly at: Date;
  readonly isReplay: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMilliseconds: number;
}

/** An event on its way to one webhook. */
export interface Delivery extends DeliveryPosition, DeliveredEvent, LastAttempt {
  readonly lane: Lane;
  readonly status: DeliveryStatus;
  /** Automatic attempts made. */
  readonly tries: number;
  /** Counted apart, since replays do not affect the retries. */
  readonly replays: number;
  /** In the order in which they ended. Empty after a successful first attempt, which `LastAttempt` describes. */
  readonly log: readonly LoggedAttempt[];
  /** Null during the first attempt, and when there is no other. */
  readonly nextAttemptAt: Date | null;
  /** Until then a process has claimed it. */
  readonly claimedUntil: Date | null;
  /** When the sweeper queues it again. */
  readonly dueAt: Date | null;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

export const attemptsOf = ({ tries, replays }: Pick<Delivery, 'tries' | 'replays'>): number => tries + replays;

/** The error of a delivery that waits because its webhook is disabled. */
export const heldBack = 'held';
export const isHeld = ({ status, error }: Pick<Delivery, 'status' | 'error'>): boolean =>
  status === 'pending' && error === heldBack;

/** The result of one attempt. `status` can be known without the rest of the response. */
export interface AttemptOutcome {
  readonly accepted: boolean;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly durationMilliseconds: number;
}

/** Further attempts are only counted: a growing item costs more with each write. */
const maxLogged = 50;

/**
 * What a new attempt adds to the log: itself, and the first attempt if that is not logged yet. A successful first attempt,
 * the normal case, adds nothing, to keep the item small.
 */
export function loggedAttempts(
  seen: Delivery,
  outcome: AttemptOutcome,
  { at, isReplay }: { at: Date; isReplay: boolean },
): LoggedAttempt[] {
  const made = attemptsOf(seen);
  if ((made === 0 && outcome.accepted && !isReplay) || seen.log.length >= maxLogged) return [];
  const { status: responseStatus, error, durationMilliseconds } = outcome;
  const first = made === 1 && seen.log.length === 0 ? [onlyAttempt(seen)] : [];
  return [...first, { at, isReplay, responseStatus, error, durationMilliseconds }];
}

/** All known attempts, oldest first. Two simultaneous replays may both have logged the first attempt. */
export function attemptLog(delivery: Delivery): readonly LoggedAttempt[] {
  if (delivery.log.length === 0) return attemptsOf(delivery) === 0 ? [] : [onlyAttempt(delivery)];
  const byMoment = new Map(delivery.log.map((attempt) => [`${attempt.at.getTime()} ${attempt.isReplay}`, attempt]));
  return [...byMoment.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** The last attempt, from the record itself. */
const onlyAttempt = (delivery: Delivery): LoggedAttempt => ({
  at: delivery.updatedAt,
  isReplay: delivery.tries === 0,
  responseStatus: delivery.responseStatus,
  error: delivery.error,
  durationMilliseconds: delivery.durationMilliseconds ?? 0,
});

/** How long the delivery log is kept. */
const deliveryRetentionDays = 30;

/** A delivery before its first attempt. */
export function newDelivery(position: DeliveryPosition, event: DeliveredEvent, lane: Lane = 'live'): Delivery {
  return {
    ...position,
    ...event,
    lane,
    status: 'pending',
    tries: 0,
    replays: 0,
    log: [],
    responseStatus: null,
    responseBody: null,
    error: null,
    durationMilliseconds: null,
    nextAttemptAt: null,
    claimedUntil: null,
    dueAt: null,
    updatedAt: event.createdAt,
    expiresAt: new Date(event.createdAt.getTime() + deliveryRetentionDays * 86_400_000),
  };
}

/** An event of a workspace. Its id is derived from `cause` and `at`, which makes it idempotent. */
export interface NewEvent {
  readonly type: WebhookEventType;
  readonly cause: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** `live` by default. */
  readonly lane?: Lane;
}

/**
 * The deliveries of an event, one for each webhook that subscribed to its type. Their ids are derived from event and
 * webhook, so that a repeated event makes no second delivery.
 */
export function deliveriesOf(
  workspaceId: string,
  event: NewEvent,
  webhooks: readonly Webhook[],
  now: Date,
): Delivery[] {
  const subscribed = webhooks.filter(({ events }) => events.includes(event.type));
  if (subscribed.length === 0) return [];
  const eventId = derivedIdAt('evt', event.at, event.cause);
  const body = eventBody({ id: eventId, type: event.type, at: event.at, data: event.data });
  return subscribed.map(({ webhookId, enabled }) => {
    const deliveryId = derivedIdAt('whd', event.at, `${eventId}#${webhookId}`);
    const delivered = { eventId, eventType: event.type, body, createdAt: event.at };
    const delivery = newDelivery({ workspaceId, webhookId, deliveryId }, delivered, event.lane);
    return enabled ? { ...delivery, dueAt: now } : heldDelivery(delivery);
  });
}

/** A delivery that waits because its webhook is disabled. */
export const heldDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  error: heldBack,
  dueAt: heldUntil(delivery.createdAt),
});

/** The body that receivers get. */
export function eventBody(event: { id: string; type: DeliveredType; at: Date; data: unknown }): string {
  return JSON.stringify({ id: event.id, type: event.type, created_at: event.at.toISOString(), data: event.data });
}

/** The part of a delivery that `decideDelivery` needs. */
export type DeliveryState = Pick<Delivery, 'status' | 'tries' | 'createdAt' | 'nextAttemptAt' | 'claimedUntil'>;

export type DeliveryDecision =
  | { readonly kind: 'attempt' }
  /** The webhook was deleted: its log is erased. */
  | { readonly kind: 'erase' }
  /** Nothing is left to do, or another message will do it. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'hold'; readonly until: Date }
  | { readonly kind: 'abandon' }
  | { readonly kind: 'later'; readonly at: Date };

/** SQS delays are exact to a second. */
const earlyMilliseconds = 1000;

/**
 * What to do with a queue message for the attempt after `tries` others. Messages arrive repeatedly, late or early, so the
 * stored delivery decides.
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

/** A disabled webhook holds a delivery back for as long as retries would take. */
function heldUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + webhookRetryWindowSeconds * 1000);
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/**
 * Seconds until a deferred message is tried again: exponential, at most 10 minutes. `spread` (0 to 1) is random, so that
 * messages deferred together do not return together.
 */
export function deferralSeconds(deferrals: number, spread: number): number {
  return Math.ceil(Math.min(2 ** Math.min(deferrals, 10), 600) * (0.5 + spread / 2));
}

/** The pauses after failed attempts: 30 seconds, 2 minutes, 10 minutes, 1 hour. Then the delivery is given up. */
export const webhookRetryDelaysSeconds = [30, 120, 600, 3600] as const;

/** The time of the next attempt; null to give the delivery up. */
export function nextAttemptAt(attemptsMade: number, now: Date): Date | null {
  const delaySeconds = webhookRetryDelaysSeconds[attemptsMade - 1];
  return delaySeconds === undefined ? null : new Date(now.getTime() + delaySeconds * 1000);
}

/** The time from the first attempt to the last one. A delivery that is held back for longer is given up. */
export const webhookRetryWindowSeconds = webhookRetryDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0);
