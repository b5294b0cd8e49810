import {
  type AttemptOutcome,
  type Delivery,
  type DeliveryPosition,
  decideDelivery,
  deferralSeconds,
  nextAttemptAt,
} from '../../../domain/webhook/delivery.ts';
import { isSlow, type Webhook } from '../../../domain/webhook/webhook.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { cancelScheduledAttempt, sendAttemptAt } from '../../../queue/scheduledAttempt.ts';
import { sendWebhookMessages } from '../../../queue/webhookDelivery.ts';
import { type AttemptMessage, attemptMessage } from '../../../queue/webhookMessage.ts';
import { deleteDeliveries, getDelivery } from '../../../store/webhook/deliveries.ts';
import {
  abandonDelivery,
  claimAttempt,
  holdDelivery,
  putOffDelivery,
  recordAttempt,
} from '../../../store/webhook/deliveryChanges.ts';
import { giveBackSlot, takeSlot } from '../../../store/webhook/webhookSlots.ts';
import { attemptSeconds, noteOutcome, noteSlow, type PostOutcome, postEvent, slowAfterSeconds } from './endpoint.ts';
import { attemptsPerEndpoint, enter, isOccupied } from './inFlight.ts';

/** Claims and slots outlive the longest attempt; after a crash they end soon by themselves. */
const claimSeconds = attemptSeconds + 5;

type Clock = () => Date;

/** `isRedelivered`: the message was received before, so an earlier worker may have made the attempt and crashed. */
export interface RequestedAttempt {
  readonly message: AttemptMessage;
  readonly isRedelivered: boolean;
}

/** Makes the attempt that a message requests, if the stored delivery still needs it. */
export async function runAttempt(requested: RequestedAttempt, clock: Clock): Promise<void> {
  const { message } = requested;
  if (isOccupied(laneAtEndpoint(message))) return defer(requested, clock());
  const { webhook, delivery } = await getDelivery(message);
  const mayHaveTwin = requested.isRedelivered || message.twin;
  const now = clock();
  const decision = decideDelivery(webhook, delivery, { tries: message.tries, isRedelivered: mayHaveTwin }, now);
  if (decision.kind === 'erase') return erase(message, delivery);
  if (!webhook || !delivery || decision.kind === 'drop') return;
  switch (decision.kind) {
    case 'hold':
      // The sweeper checks it when its retries would have ended.
      return holdDelivery(delivery, decision.until, now);
    case 'abandon':
      return abandonDelivery(delivery, 'held_too_long', now);
    case 'later':
      return sendAttemptAt({ ...message, tries: delivery.tries }, decision.at, now);
    case 'attempt':
      return attempt(webhook, delivery, { message, isRedelivered: mayHaveTwin }, clock);
  }
}

/** The event was written while its webhook was being deleted. */
async function erase(position: DeliveryPosition, delivery: Delivery | null): Promise<void> {
  if (!delivery) return;
  await cancelScheduledAttempt(position.deliveryId);
  await deleteDeliveries([position]);
}

/** Each lane has its own limit at an endpoint. Both lanes share a process on a laptop, never on Lambda. */
const laneAtEndpoint = ({ lane, webhookId }: AttemptMessage): string => `${lane}#${webhookId}`;

/** One of the slots of a slow endpoint is reserved for live deliveries. */
const slotsOf = { live: attemptsPerEndpoint, bulk: attemptsPerEndpoint - 1 } as const;

/** When the endpoint is at its limit the message is deferred, so that the worker is free for other endpoints. */
async function attempt(webhook: Webhook, delivery: Delivery, requested: RequestedAttempt, clock: Clock): Promise<void> {
  const leave = await enter(laneAtEndpoint(requested.message));
  if (!leave) return defer(requested, clock());
  try {
    if (isSlow(webhook, clock())) await attemptInSlot(webhook, delivery, requested, clock);
    else await attemptNow(webhook, delivery, requested, clock);
  } finally {
    leave();
  }
}

/** Attempts at a slow endpoint need a slot; all workers together have as many as one worker may use otherwise. */
async function attemptInSlot(
  webhook: Webhook,
  delivery: Delivery,
  requested: RequestedAttempt,
  clock: Clock,
): Promise<void> {
  const now = clock();
  const slot = await takeSlot(delivery, slotsOf[requested.message.lane], now, addSeconds(now, claimSeconds));
  if (!slot) return defer(requested, now);
  try {
    await attemptNow(webhook, delivery, requested, clock);
  } finally {
    await giveBackSlot(slot);
  }
}

async function attemptNow(
  webhook: Webhook,
  delivery: Delivery,
  requested: RequestedAttempt,
  clock: Clock,
): Promise<void> {
  if (!(await claim(delivery, requested, clock()))) return;
  const outcome = await notingSlowness(webhook, clock, () => postEvent(webhook, delivery, clock()));
  const at = clock();
  const settled = await settleAttempt(delivery, outcome, at);
  if (!settled) return;
  const isGivenUp = settled.status === 'failed';
  if (isGivenUp) logger.warn('A delivery was given up.', { delivery_id: delivery.deliveryId, error: settled.error });
  await noteOutcome(webhook, { accepted: outcome.accepted, isGivenUp }, at);
}

/**
 * Keeps other workers from making the same attempt. The write is left out where no other message can exist: the first
 * message of a delivery, when it is received for the first time.
 */
async function claim(delivery: Delivery, { isRedelivered }: RequestedAttempt, now: Date): Promise<boolean> {
  if (delivery.tries === 0 && !isRedelivered) return true;
  return claimAttempt(delivery, addSeconds(now, claimSeconds));
}

/** Marks the endpoint as slow while the attempt still runs, since other attempts are about to start. */
async function notingSlowness(webhook: Webhook, clock: Clock, post: () => Promise<PostOutcome>): Promise<PostOutcome> {
  const timer = setTimeout(() => {
    noteSlow(webhook, clock()).catch((error) => logger.error('A slow endpoint could not be noted.', error));
  }, slowAfterSeconds * 1000);
  try {
    return await post();
  } finally {
    clearTimeout(timer);
  }
}

/** Records the attempt and schedules the next one, if any. Null when the delivery was settled meanwhile. */
async function settleAttempt(delivery: Delivery, outcome: AttemptOutcome, at: Date): Promise<Delivery | null> {
  const next = outcome.accepted ? null : nextAttemptAt(delivery.tries + 1, at);
  const settled = await recordAttempt(delivery, outcome, next, at);
  if (settled && next) await sendAttemptAt(attemptMessage(settled), next, at);
  return settled;
}

/** Shorter deferrals end before the sweeper looks. */
const longDeferralSeconds = 30;

/** Puts a message off. A long deferral is stored too, or the sweeper would queue a second message meanwhile. */
async function defer({ message, isRedelivered }: RequestedAttempt, now: Date): Promise<void> {
  const delaySeconds = deferralSeconds(message.deferrals, Math.random());
  if (delaySeconds >= longDeferralSeconds) {
    await putOffDelivery(message, message.tries, addSeconds(now, delaySeconds + longDeferralSeconds));
  }
  const twin = message.twin || isRedelivered;
  await sendWebhookMessages([{ ...message, deferrals: message.deferrals + 1, twin }], delaySeconds);
}
