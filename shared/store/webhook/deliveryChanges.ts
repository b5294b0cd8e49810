import {
  type AttemptOutcome,
  type Delivery,
  type DeliveryPosition,
  heldBack,
  isHeld,
  lanes,
  loggedAttempts,
} from '../../domain/webhook/delivery.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import type { Change } from '../table/expression.ts';
import { dueDeliveryPartition, dueDeliveryShards, erasureKey, type Indexed, type Key } from '../table/keys.ts';
import { keyOfItem, queryEach } from '../table/table.ts';
import { changeItem, changeItemOnce } from '../table/write.ts';
import {
  type DeliveryRecord,
  deliveryOf,
  dueAttributes,
  getDelivery,
  keyOf,
  logEntries,
  openAttributes,
  positionOf,
  traceOf,
} from './deliveries.ts';

/** Claims the next automatic attempt for one worker; false when another worker has it, or none is due. */
export async function claimAttempt(delivery: Delivery, until: Date): Promise<boolean> {
  const claimed = await change(delivery, {
    set: { claimed_until: until.toISOString() },
    expect: { ...untouched(delivery), claimed_until: delivery.claimedUntil?.toISOString() },
  });
  return claimed !== null;
}

/**
 * Records an automatic attempt, and when the next one is due; without a next one the delivery is settled. Null when it
 * was settled meanwhile (by a replay, or a duplicate of the message): that result stays.
 */
export function recordAttempt(
  delivery: Delivery,
  outcome: AttemptOutcome,
  next: Date | null,
  at: Date,
): Promise<Delivery | null> {
  const tries = delivery.tries + 1;
  const { set, absent } = traceOf(outcome, at);
  const log = logEntries(loggedAttempts(delivery, outcome, { at, isReplay: false }));
  const further = { append: { log }, expect: untouched(delivery) };
  if (next) {
    const planned = { next_attempt_at: next.toISOString(), ...dueAttributes(delivery, next) };
    return change(delivery, { set: { ...set, tries, ...planned }, remove: [...absent, 'claimed_until'], ...further });
  }
  const status = outcome.accepted ? 'delivered' : 'failed';
  return change(delivery, { set: { ...set, tries, status }, remove: [...absent, ...openAttributes], ...further });
}

/** Holds back a delivery whose webhook is disabled; the sweeper checks it at `until`. */
export async function holdDelivery(delivery: Delivery, until: Date, at: Date): Promise<void> {
  await change(delivery, {
    set: { error: heldBack, updated_at: at.toISOString(), ...dueAttributes(delivery, until) },
    remove: ['next_attempt_at', 'claimed_until'],
    expect: untouched(delivery),
  });
}

/** Releases a delivery that was held back; null when it is not held any more. */
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

/** Keeps the sweeper from a delivery whose attempt after `tries` others is queued. */
export async function putOffDelivery(position: DeliveryPosition, tries: number, until: Date): Promise<void> {
  await change(position, { set: { due_sk: until.toISOString() }, expect: untouched({ tries }) });
}

/**
 * Counts a replay and records its outcome: a success settles the delivery and ends its retries; after a failure,
 * pending retries stay as they are. Concurrent replays need one write each, since each only adds; one whose delivery
 * changes its state meanwhile needs another. Null when the delivery no longer exists.
 */
export async function recordReplay(delivery: Delivery, outcome: AttemptOutcome, at: Date): Promise<Delivery | null> {
  let stored: Delivery | null = delivery;
  return untilSettled(async () => {
    const recorded =
      stored &&
      (await changeItemOnce<DeliveryRecord>(keyOf(delivery), replayChange(stored, outcome, at), 'last_replay'));
    if (recorded) return deliveryOf(recorded);
    stored = (await getDelivery(delivery)).delivery;
    return stored && overtaken;
  });
}

function replayChange(stored: Delivery, outcome: AttemptOutcome, at: Date): Change<DeliveryRecord> {
  const { set, absent } = traceOf(outcome, at);
  const counted = {
    add: { replays: 1 },
    append: { log: logEntries(loggedAttempts(stored, outcome, { at, isReplay: true })) },
  };
  const isNot = <Name extends 'status' | 'error'>(name: Name, value: NonNullable<DeliveryRecord[Name]>) =>
    ({
      any: [
        [name, 'absent'],
        [name, '<>', value],
      ],
    }) as const;
  if (outcome.accepted)
    return { set: { ...set, status: 'delivered' }, remove: [...absent, ...openAttributes], ...counted };
  if (stored.status !== 'pending') {
    return { set: { ...set, status: 'failed' }, remove: absent, ...counted, if: [isNot('status', 'pending')] };
  }
  return isHeld(stored)
    ? { set: { ...set, error: heldBack }, remove: absent, ...counted, expect: { status: 'pending', error: heldBack } }
    : { set, remove: absent, ...counted, expect: { status: 'pending' }, if: [isNot('error', heldBack)] };
}

/** The condition that a delivery is open and no attempt was made since it was read. */
const untouched = ({ tries }: Pick<Delivery, 'tries'>) => ({ status: 'pending', tries }) as const;

async function change(position: DeliveryPosition, changes: Change<DeliveryRecord>): Promise<Delivery | null> {
  const item = await changeItem<DeliveryRecord>(keyOf(position), changes);
  return item && deliveryOf(item);
}

/** Overdue work: an attempt, or the erasure of a deleted webhook's log. */
export type DueWork = { readonly dueAt: Date } & (
  | ({ readonly kind: 'attempt' } & DeliveryPosition)
  | ({ readonly kind: 'erasure' } & WebhookPosition)
);

/** What is due before a time, the oldest first, at most `limit` of each shard: eight empty queries when nothing is. */
export async function listDueWork(before: Date, limit: number): Promise<DueWork[]> {
  const partitions = lanes.flatMap((lane) =>
    Array.from({ length: dueDeliveryShards }, (_, shard) => dueDeliveryPartition(lane, shard)),
  );
  const query = { index: 'due', sort: { below: before.toISOString() }, limit } as const;
  const items = await queryEach(partitions, query);
  return items.map((item) => workOf(keyOfItem(item), new Date(String(item.due_sk))));
}

function workOf(key: Key, dueAt: Date): DueWork {
  const { workspaceId, webhookId, deliveryId } = positionOf(key);
  return key.sk === erasureKey(workspaceId, webhookId).sk
    ? { kind: 'erasure', workspaceId, webhookId, dueAt }
    : { kind: 'attempt', workspaceId, webhookId, deliveryId, dueAt };
}

/** Postpones an attempt, so that not every run of the sweeper finds it. Null when it changed meanwhile. */
export async function putOffAttempt(work: DeliveryPosition & { dueAt: Date }, until: Date): Promise<Delivery | null> {
  const item = await putOff(keyOf(work), work.dueAt, until);
  return item && deliveryOf(item);
}

/** The same for an erasure; false when it is done. */
export async function putOffErasure(work: WebhookPosition & { dueAt: Date }, until: Date): Promise<boolean> {
  return (await putOff(erasureKey(work.workspaceId, work.webhookId), work.dueAt, until)) !== null;
}

function putOff(key: Key, dueAt: Date, until: Date) {
  return changeItem<Indexed<'due'>>(key, {
    set: { due_sk: until.toISOString() },
    expect: { due_sk: dueAt.toISOString() },
  });
}
