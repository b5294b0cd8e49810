import {
  type AttemptOutcome,
  type Delivery,
  type DeliveryPosition,
  heldBack,
  isHeld,
  loggedAttempts,
} from '../../domain/webhook/delivery.ts';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { type Change, changeItem } from '../table/change.ts';
import { getDelivery } from './deliveries.ts';
import {
  type DeliveryAttributes,
  deliveryOf,
  dueAttributes,
  keyOf,
  logEntries,
  openAttributes,
  traceOf,
} from './deliveryItem.ts';

/** Takes the next automatic attempt for one worker until a moment; false when another has it, or there is none to make. */
export async function claimAttempt(delivery: Delivery, until: Date): Promise<boolean> {
  const claimed = await change(delivery, {
    set: { claimed_until: until.toISOString() },
    expect: { ...untouched(delivery), claimed_until: delivery.claimedUntil?.toISOString() },
  });
  return claimed !== null;
}

/**
 * Writes an automatic attempt down, and when the next one is due; without one the delivery is settled. Null when
 * something else settled it meanwhile (a replay, a twin of the message): that word stands.
 */
export function recordAttempt(
  delivery: Delivery,
  outcome: AttemptOutcome,
  next: Date | null,
  at: Date,
): Promise<Delivery | null> {
  const tries = delivery.tries + 1;
  const { set, absent } = traceOf(outcome, at);
  const expect = untouched(delivery);
  const append = { log: logEntries(loggedAttempts(delivery, outcome, { at, isReplay: false })) };
  if (next) {
    const asked = { next_attempt_at: next.toISOString(), ...dueAttributes(delivery, next) };
    return change(delivery, { set: { ...set, tries, ...asked }, remove: [...absent, 'claimed_until'], append, expect });
  }
  const status = outcome.accepted ? 'delivered' : 'failed';
  return change(delivery, { set: { ...set, tries, status }, remove: [...absent, ...openAttributes], append, expect });
}

/** Holds a delivery back whose webhook is disabled; the sweeper looks after it at `until`. */
export async function holdDelivery(delivery: Delivery, until: Date, at: Date): Promise<void> {
  await change(delivery, {
    set: { error: heldBack, updated_at: at.toISOString(), ...dueAttributes(delivery, until) },
    remove: ['next_attempt_at', 'claimed_until'],
    expect: untouched(delivery),
  });
}

/** Lets a held delivery go; null when it is not held any more. */
export function releaseDelivery(delivery: Delivery, at: Date): Promise<Delivery | null> {
  return change(delivery, {
    set: { updated_at: at.toISOString(), ...dueAttributes(delivery, at) },
    remove: ['error'],
    expect: { ...untouched(delivery), error: heldBack },
  });
}

/** Gives up a delivery that was held back for too long. */
export async function abandonDelivery(delivery: Delivery, error: string, at: Date): Promise<void> {
  await change(delivery, {
    set: { status: 'failed', error, updated_at: at.toISOString() },
    remove: openAttributes,
    expect: untouched(delivery),
  });
}

/** Keeps the sweeper from a delivery whose attempt after `tries` others waits in the queue. */
export async function putOffDelivery(position: DeliveryPosition, tries: number, until: Date): Promise<void> {
  await change(position, { set: { due_sk: until.toISOString() }, expect: untouched({ tries }) });
}

/**
 * Counts a replay and writes down what came of it: success settles the delivery and ends its retries; failure leaves
 * those that are to come as they are. It adds, so that any number of replays at once take one write each; only one whose
 * delivery changes its state meanwhile takes another. Null when the delivery is gone.
 */
export async function recordReplay(delivery: Delivery, outcome: AttemptOutcome, at: Date): Promise<Delivery | null> {
  let seen: Delivery | null = delivery;
  return untilSettled(async () => {
    const recorded = seen && (await change(seen, replayChange(seen, outcome, at)));
    if (recorded) return recorded;
    seen = (await getDelivery(delivery)).delivery;
    return seen && overtaken;
  });
}

function replayChange(seen: Delivery, outcome: AttemptOutcome, at: Date): Change<DeliveryAttributes> {
  const { set, absent } = traceOf(outcome, at);
  const counted = {
    add: { replays: 1 },
    append: {
      log: logEntries(loggedAttempts(seen, outcome, { at, isReplay: true })),
    },
    once: 'last_replay',
  } as const;
  if (outcome.accepted)
    return { set: { ...set, status: 'delivered' }, remove: [...absent, ...openAttributes], ...counted };
  if (seen.status !== 'pending') {
    return { set: { ...set, status: 'failed' }, remove: absent, ...counted, expectNot: { status: 'pending' } };
  }
  return isHeld(seen)
    ? { set: { ...set, error: heldBack }, remove: absent, ...counted, expect: { status: 'pending', error: heldBack } }
    : { set, remove: absent, ...counted, expect: { status: 'pending' }, expectNot: { error: heldBack } };
}

/** What stands for a delivery that nobody settled and no attempt was made of since it was read. */
const untouched = ({ tries }: Pick<Delivery, 'tries'>) => ({ status: 'pending', tries });

async function change(position: DeliveryPosition, changes: Change<DeliveryAttributes>): Promise<Delivery | null> {
  const item = await changeItem(keyOf(position), changes);
  return item && deliveryOf(item);
}
