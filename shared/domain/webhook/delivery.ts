import type { DeliveredType } from './eventType.ts';
import type { WebhookPosition } from './webhook.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Which queue asks for its attempts: what happens in thousands (the mail of a campaign, an import) waits behind itself,
 * and never before what somebody did just now.
 */
export const lanes = ['live', 'bulk'] as const;
export type Lane = (typeof lanes)[number];

export interface DeliveryPosition extends WebhookPosition {
  readonly deliveryId: string;
}

/** The event that a delivery carries: `body` is posted byte for byte, at each attempt the same. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly eventType: DeliveredType;
  readonly body: string;
  readonly createdAt: Date;
}

/** What came of the last attempt. */
interface LastAttempt {
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** A code of shared/services/deliveries/deliveryErrors.ts. */
  readonly error: string | null;
  readonly durationMilliseconds: number | null;
}

/** One attempt as the log of a delivery keeps it. */
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
  /** Counted apart, since a replay moves no retry. */
  readonly replays: number;
  /** In the order in which they ended. A first attempt that went well is told by the rest of the record alone. */
  readonly log: readonly LoggedAttempt[];
  /** Null while the first attempt is on its way, and when there is none to come. */
  readonly nextAttemptAt: Date | null;
  /** Until then a worker is at it. */
  readonly claimedUntil: Date | null;
  /** When the sweeper is to look after it. */
  readonly dueAt: Date | null;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

export const attemptsOf = ({ tries, replays }: Pick<Delivery, 'tries' | 'replays'>): number => tries + replays;

/** Why a delivery waits that was not sent because its webhook is disabled. */
export const heldBack = 'held';
export const isHeld = ({ status, error }: Pick<Delivery, 'status' | 'error'>): boolean =>
  status === 'pending' && error === heldBack;

/** What came of one attempt. `status` is there even when the rest of the answer never came. */
export interface AttemptOutcome {
  readonly accepted: boolean;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly durationMilliseconds: number;
}

/** More than these are counted and not listed: an item that grows costs more with each write. */
const mostLogged = 50;

/**
 * What a new attempt adds to the log: itself, and before it the first one if nothing told of that so far. Nothing for a
 * first attempt that went well, which most are, and which should cost no more than it does.
 */
export function loggedAttempts(
  seen: Delivery,
  outcome: AttemptOutcome,
  { at, isReplay }: { at: Date; isReplay: boolean },
): LoggedAttempt[] {
  const made = attemptsOf(seen);
  if ((made === 0 && outcome.accepted && !isReplay) || seen.log.length >= mostLogged) return [];
  const { status: responseStatus, error, durationMilliseconds } = outcome;
  const first = made === 1 && seen.log.length === 0 ? [onlyAttempt(seen)] : [];
  return [...first, { at, isReplay, responseStatus, error, durationMilliseconds }];
}

/**
 * Every attempt that is known of. Two replays at once may both have told of the first attempt; of a delivery that an
 * earlier release tried more than once, only the last attempt is known.
 */
export function attemptLog(delivery: Delivery): readonly LoggedAttempt[] {
  if (delivery.log.length === 0) return attemptsOf(delivery) === 0 ? [] : [onlyAttempt(delivery)];
  const byMoment = new Map(delivery.log.map((attempt) => [`${attempt.at.getTime()} ${attempt.isReplay}`, attempt]));
  return [...byMoment.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** The last attempt, as the record tells it. */
const onlyAttempt = (delivery: Delivery): LoggedAttempt => ({
  at: delivery.updatedAt,
  isReplay: delivery.tries === 0,
  responseStatus: delivery.responseStatus,
  error: delivery.error,
  durationMilliseconds: delivery.durationMilliseconds ?? 0,
});

/** How long the delivery log is kept. */
const deliveryRetentionDays = 30;

/** A delivery that nothing was done for yet. */
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
