import { type DeliveryState, decideDelivery, deferralSeconds } from '../../domain/webhook/deliveryDecision.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import {
  type AttemptMessage,
  cancelScheduledAttempt,
  sendAttemptAt,
  sendWebhookMessages,
} from '../../queue/webhookDelivery.ts';
import {
  changeDelivery,
  type Delivery,
  type DeliveryPosition,
  deleteDeliveries,
  dueKeys,
  getDelivery,
} from '../../store/webhook/deliveries.ts';
import { giveBackSlot, takeSlot } from '../../store/webhook/webhookSlots.ts';
import type { Webhook } from '../../store/webhook/webhooks.ts';
import { isSlow, noteOutcome, noteSlow, slowAfterSeconds } from './health.ts';
import { attemptsPerEndpoint, enter, isOccupied } from './inFlight.ts';
import { type AttemptOutcome, attemptSeconds, postEvent } from './post.ts';
import { openFields, settleAttempt } from './settle.ts';

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
  if (isOccupied(message.webhook_id)) return defer(asked, clock());
  const position = positionOf(message);
  const { webhook, delivery } = await getDelivery(position);
  const mayHaveTwin = asked.isRedelivered || message.twin;
  const state = delivery && stateOf(delivery);
  const now = clock();
  const decision = decideDelivery(webhook, state, { tries: message.tries, isRedelivered: mayHaveTwin }, now);
  if (decision.kind === 'erase') return erase(position, delivery);
  if (!webhook || !delivery || decision.kind === 'drop') return;
  switch (decision.kind) {
    case 'hold':
      return hold(delivery, decision.until, now);
    case 'abandon':
      return abandon(delivery, now);
    case 'later':
      return sendAttemptAt({ ...message, tries: delivery.record.tries }, decision.at, now);
    case 'attempt':
      return attempt(webhook, delivery, { message, isRedelivered: mayHaveTwin }, clock);
  }
}

function stateOf({ record }: Delivery): DeliveryState {
  const moment = (text: string | undefined) => (text === undefined ? null : new Date(text));
  return {
    status: record.status,
    tries: record.tries,
    createdAt: new Date(record.created_at),
    nextAttemptAt: moment(record.next_attempt_at),
    claimedUntil: moment(record.claimed_until),
  };
}

const positionOf = ({ workspace_id, webhook_id, delivery_id }: AttemptMessage): DeliveryPosition => ({
  workspaceId: workspace_id,
  webhookId: webhook_id,
  deliveryId: delivery_id,
});

/** An event that was written while its webhook was being deleted. */
async function erase(position: DeliveryPosition, delivery: Delivery | null): Promise<void> {
  if (!delivery) return;
  await cancelScheduledAttempt(position.deliveryId);
  await deleteDeliveries([position]);
}

/** The sweeper comes for it when its retries would have ended. */
async function hold(delivery: Delivery, until: Date, now: Date): Promise<void> {
  await changeDelivery(delivery, {
    set: { error: 'held', updated_at: now.toISOString(), ...dueKeys(delivery.deliveryId, until) },
    remove: ['next_attempt_at', 'claimed_until'],
    expect: { status: 'pending', tries: delivery.record.tries },
  });
}

async function abandon(delivery: Delivery, now: Date): Promise<void> {
  await changeDelivery(delivery, {
    set: { status: 'failed', error: 'held_too_long', updated_at: now.toISOString() },
    remove: openFields,
    expect: { status: 'pending', tries: delivery.record.tries },
  });
}

/** Without a place at its endpoint the message comes back later, and the worker is free for others. */
async function attempt(webhook: Webhook, delivery: Delivery, asked: AskedAttempt, clock: Clock): Promise<void> {
  const leave = await enter(webhook.webhook_id);
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
  const slot = await takeSlot(delivery, attemptsPerEndpoint, now, addSeconds(now, claimSeconds));
  if (!slot) return defer(asked, now);
  try {
    await attemptNow(webhook, delivery, asked, clock);
  } finally {
    await giveBackSlot(slot);
  }
}

async function attemptNow(webhook: Webhook, delivery: Delivery, asked: AskedAttempt, clock: Clock): Promise<void> {
  if (!(await claim(delivery, asked, clock()))) return;
  const outcome = await watched(webhook, clock, () => postEvent(webhook, delivery.record, clock()));
  const at = clock();
  const settled = await settleAttempt(delivery, outcome, asked.message, at);
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
  const { tries, claimed_until } = delivery.record;
  if (tries === 0 && !isRedelivered) return true;
  const claimed = await changeDelivery(delivery, {
    set: { claimed_until: addSeconds(now, claimSeconds).toISOString() },
    expect: { status: 'pending', tries, claimed_until },
  });
  return claimed !== null;
}

/** Notes while the attempt still goes on that the endpoint is slow: others are about to start. */
async function watched(webhook: Webhook, clock: Clock, post: () => Promise<AttemptOutcome>): Promise<AttemptOutcome> {
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
    const { due_sk } = dueKeys(message.delivery_id, addSeconds(now, delaySeconds + longDeferralSeconds));
    await changeDelivery(positionOf(message), { set: { due_sk }, expect: { status: 'pending', tries: message.tries } });
  }
  const twin = message.twin || isRedelivered;
  await sendWebhookMessages([{ ...message, deferrals: message.deferrals + 1, twin }], delaySeconds);
}
