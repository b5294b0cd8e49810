import type { Delivery, DeliveryPosition } from '../../domain/webhook/delivery.ts';
import { decideDelivery, deferralSeconds } from '../../domain/webhook/deliveryDecision.ts';
import { isSlow, type Webhook } from '../../domain/webhook/webhook.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { cancelScheduledAttempt, sendAttemptAt } from '../../queue/scheduledAttempt.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import type { AttemptMessage } from '../../queue/webhookMessage.ts';
import { deleteDeliveries, getDelivery } from '../../store/webhook/deliveries.ts';
import { abandonDelivery, claimAttempt, holdDelivery, putOffDelivery } from '../../store/webhook/deliveryChanges.ts';
import { giveBackSlot, takeSlot } from '../../store/webhook/webhookSlots.ts';
import { noteOutcome, noteSlow, slowAfterSeconds } from './health.ts';
import { attemptsPerEndpoint, enter, isOccupied } from './inFlight.ts';
import { attemptSeconds, type PostOutcome, postEvent } from './post.ts';
import { settleAttempt } from './settle.ts';

/** A claim, or a slot, outlives the longest attempt; whoever dies with one is in nobody's way for long. */
const claimSeconds = attemptSeconds + 5;

type Clock = () => Date;

/** An attempt that the queue asks for. `isRedelivered`: it was received before, so that an earlier worker may have died. */
export interface AskedAttempt {
  readonly message: AttemptMessage;
  readonly isRedelivered: boolean;
}

/** Does what a message asks for, if the delivery as it is stored still wants it. */
export async function runAttempt(asked: AskedAttempt, clock: Clock): Promise<void> {
  const { message } = asked;
  if (isOccupied(placeOf(message))) return defer(asked, clock());
  const { webhook, delivery } = await getDelivery(message);
  const mayHaveTwin = asked.isRedelivered || message.twin;
  const now = clock();
  const decision = decideDelivery(webhook, delivery, { tries: message.tries, isRedelivered: mayHaveTwin }, now);
  if (decision.kind === 'erase') return erase(message, delivery);
  if (!webhook || !delivery || decision.kind === 'drop') return;
  switch (decision.kind) {
    case 'hold':
      // The sweeper comes for it when its retries would have ended.
      return holdDelivery(delivery, decision.until, now);
    case 'abandon':
      return abandonDelivery(delivery, 'held_too_long', now);
    case 'later':
      return sendAttemptAt({ ...message, tries: delivery.tries }, decision.at, now);
    case 'attempt':
      return attempt(webhook, delivery, { message, isRedelivered: mayHaveTwin }, clock);
  }
}

/** An event that was written while its webhook was being deleted. */
async function erase(position: DeliveryPosition, delivery: Delivery | null): Promise<void> {
  if (!delivery) return;
  await cancelScheduledAttempt(position.deliveryId);
  await deleteDeliveries([position]);
}

/** Each lane has places of its own at an endpoint: here both may run in one process, on Lambda they never do. */
const placeOf = ({ lane, webhookId }: AttemptMessage): string => `${lane}#${webhookId}`;

/** Of the slots of a slow endpoint one is for what is live alone. */
const slotsOf = { live: attemptsPerEndpoint, bulk: attemptsPerEndpoint - 1 } as const;

/** Without a place at its endpoint the message comes back later, and the worker is free for others. */
async function attempt(webhook: Webhook, delivery: Delivery, asked: AskedAttempt, clock: Clock): Promise<void> {
  const leave = await enter(placeOf(asked.message));
  if (!leave) return defer(asked, clock());
  try {
    if (isSlow(webhook, clock())) await attemptInSlot(webhook, delivery, asked, clock);
    else await attemptNow(webhook, delivery, asked, clock);
  } finally {
    leave();
  }
}

/** A slow endpoint's attempts need a slot, of which all workers together have as few as one of them has places. */
async function attemptInSlot(webhook: Webhook, delivery: Delivery, asked: AskedAttempt, clock: Clock): Promise<void> {
  const now = clock();
  const slot = await takeSlot(delivery, slotsOf[asked.message.lane], now, addSeconds(now, claimSeconds));
  if (!slot) return defer(asked, now);
  try {
    await attemptNow(webhook, delivery, asked, clock);
  } finally {
    await giveBackSlot(slot);
  }
}

async function attemptNow(webhook: Webhook, delivery: Delivery, asked: AskedAttempt, clock: Clock): Promise<void> {
  if (!(await claim(delivery, asked, clock()))) return;
  const outcome = await watched(webhook, clock, () => postEvent(webhook, delivery, clock()));
  const at = clock();
  const settled = await settleAttempt(delivery, outcome, at);
  if (!settled) return;
  const isGivenUp = settled.status === 'failed';
  if (isGivenUp) logger.warn('A delivery was given up.', { delivery_id: delivery.deliveryId, error: settled.error });
  await noteOutcome(webhook, { accepted: outcome.accepted, tries: settled.tries, isGivenUp }, at);
}

/**
 * Makes sure that no other worker makes the same attempt. Costs a write, so it is left out where no other message can
 * exist: the first time that the first message of a delivery is received.
 */
async function claim(delivery: Delivery, { isRedelivered }: AskedAttempt, now: Date): Promise<boolean> {
  if (delivery.tries === 0 && !isRedelivered) return true;
  return claimAttempt(delivery, addSeconds(now, claimSeconds));
}

/** Notes while the attempt still goes on that the endpoint is slow: others are about to start. */
async function watched(webhook: Webhook, clock: Clock, post: () => Promise<PostOutcome>): Promise<PostOutcome> {
  const timer = setTimeout(() => {
    noteSlow(webhook, clock()).catch((error) => logger.error('A slow endpoint could not be noted.', error));
  }, slowAfterSeconds * 1000);
  try {
    return await post();
  } finally {
    clearTimeout(timer);
  }
}

/** Shorter ones end before the sweeper takes notice. */
const longDeferralSeconds = 30;

/** Puts a message off. The sweeper is told to wait as well, or it would add a message each time it looks. */
async function defer({ message, isRedelivered }: AskedAttempt, now: Date): Promise<void> {
  const delaySeconds = deferralSeconds(message.deferrals, Math.random());
  if (delaySeconds >= longDeferralSeconds) {
    await putOffDelivery(message, message.tries, addSeconds(now, delaySeconds + longDeferralSeconds));
  }
  const twin = message.twin || isRedelivered;
  await sendWebhookMessages([{ ...message, deferrals: message.deferrals + 1, twin }], delaySeconds);
}
