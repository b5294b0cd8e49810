import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import {
  type AttemptOutcome,
  type Delivery,
  type DeliveryPosition,
  deliveryStatuses,
  type LoggedAttempt,
} from '../../domain/webhook/delivery.ts';
import type { DeliveredType } from '../../domain/webhook/eventType.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { deliveryKey, dueDeliveryPartition, dueDeliveryShards, type Key } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const moment = z.string().transform((text) => new Date(text));

/**
 * Kept small, since every write of it is charged by the kilobyte: what its key says already is not said again, and what
 * is absent says nothing.
 */
const record = z.object({
  event_id: z.string(),
  /** One that only a later release knows is shown as it stands. */
  event_type: z.string().transform((type) => type as DeliveredType),
  body: z.string(),
  /** Left out for `live`; one that only a later release knows is `live` here. */
  lane: z.string().optional(),
  status: z.enum(deliveryStatuses),
  tries: z.number(),
  replays: z.number().default(0),
  log: z
    .array(
      z.object({
        at: moment,
        replay: z.boolean().default(false),
        status: z.number().optional(),
        error: z.string().optional(),
        ms: z.number(),
      }),
    )
    .default([]),
  response_status: z.number().optional(),
  response_body: z.string().optional(),
  error: z.string().optional(),
  duration_ms: z.number().optional(),
  next_attempt_at: moment.optional(),
  claimed_until: moment.optional(),
  created_at: moment,
  updated_at: moment.optional(),
  /** Of the latest replay that was written down. */
  last_replay: z.string().optional(),
  expires_at: z.number(),
  /** In the index `due`. */
  due_pk: z.string().optional(),
  due_sk: moment.optional(),
});

/** The attributes of a delivery's item. */
export type DeliveryAttributes = Partial<Record<keyof z.input<typeof record>, unknown>>;

export function deliveryOf(item: Item): Delivery {
  const read = record.parse(item);
  return {
    ...positionOf({ pk: String(item.pk), sk: String(item.sk) }),
    eventId: read.event_id,
    eventType: read.event_type,
    body: read.body,
    lane: read.lane === 'bulk' ? 'bulk' : 'live',
    status: read.status,
    tries: read.tries,
    replays: read.replays,
    log: read.log.map(({ at, replay, status, error, ms }) => ({
      at,
      isReplay: replay,
      responseStatus: status ?? null,
      error: error ?? null,
      durationMilliseconds: ms,
    })),
    responseStatus: read.response_status ?? null,
    responseBody: read.response_body ?? null,
    error: read.error ?? null,
    durationMilliseconds: read.duration_ms ?? null,
    nextAttemptAt: read.next_attempt_at ?? null,
    claimedUntil: read.claimed_until ?? null,
    dueAt: read.due_sk ?? null,
    createdAt: read.created_at,
    updatedAt: read.updated_at ?? read.created_at,
    expiresAt: new Date(read.expires_at * 1000),
  };
}

/** The whole item of a delivery that is new: nothing was done for it yet, or all that ever will (a test call). */
export function newDeliveryItem(delivery: Delivery): Item {
  const isTouched = delivery.updatedAt.getTime() !== delivery.createdAt.getTime();
  return {
    ...keyOf(delivery),
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    body: delivery.body,
    status: delivery.status,
    tries: delivery.tries,
    ...given({
      lane: delivery.lane === 'live' ? null : delivery.lane,
      response_status: delivery.responseStatus,
      response_body: delivery.responseBody,
      error: delivery.error,
      duration_ms: delivery.durationMilliseconds,
      updated_at: isTouched ? delivery.updatedAt.toISOString() : null,
    }),
    created_at: delivery.createdAt.toISOString(),
    expires_at: epochSeconds(delivery.expiresAt),
    ...(delivery.dueAt && dueAttributes(delivery, delivery.dueAt)),
  };
}

/** The keys of the index `due`: a delivery stays in one shard, and moves within it. */
export const dueAttributes = ({ deliveryId, lane }: Pick<Delivery, 'deliveryId' | 'lane'>, at: Date) => ({
  due_pk: dueDeliveryPartition(lane, shardOf(deliveryId, dueDeliveryShards)),
  due_sk: at.toISOString(),
});

/** What an attempt leaves behind besides the delivery's own state, and which of it has nothing to say. */
export function traceOf(outcome: AttemptOutcome, at: Date) {
  const set: DeliveryAttributes = {
    duration_ms: outcome.durationMilliseconds,
    updated_at: at.toISOString(),
    ...given({ response_status: outcome.status, response_body: outcome.body, error: outcome.error }),
  };
  const absent = (['response_status', 'response_body', 'error'] as const).filter((name) => !(name in set));
  return { set, absent };
}

/** Why a delivery was never made: its person was erased. */
const erasedError = 'erased';

/** The item of a delivery without what its event said; one that was still to be attempted is given up. */
export function erasedDelivery(item: Item): Item {
  const { id, type, created_at } = JSON.parse(String(item.body)) as Record<string, unknown>;
  const { response_body: _echo, ...kept } = item;
  const body = JSON.stringify({ id, type, created_at, data: { erased: true } });
  if (item.status !== 'pending') return { ...kept, body };
  const settled = Object.entries(kept).filter(([name]) => !(openAttributes as readonly string[]).includes(name));
  return { ...Object.fromEntries(settled), body, status: 'failed', error: erasedError };
}
/** Entries of the log as they are stored. */
export const logEntries = (attempts: readonly LoggedAttempt[]): Item[] =>
  attempts.map(({ at, isReplay, responseStatus, error, durationMilliseconds }) => ({
    at: at.toISOString(),
    ms: durationMilliseconds,
    ...(isReplay && { replay: true }),
    ...(responseStatus !== null && { status: responseStatus }),
    ...(error !== null && { error }),
  }));

/** What only a delivery has that is still to be attempted. */
export const openAttributes = ['next_attempt_at', 'claimed_until', 'due_pk', 'due_sk'] as const;

export const keyOf = ({ workspaceId, webhookId, deliveryId }: DeliveryPosition): Key =>
  deliveryKey(workspaceId, webhookId, deliveryId);

/** The position behind `WS#<workspace>#WEBHOOK#<webhook>` and a delivery id. */
export function positionOf({ pk, sk }: Key): DeliveryPosition {
  const [, workspaceId = '', , webhookId = ''] = pk.split('#');
  return { workspaceId, webhookId, deliveryId: sk };
}

const given = (attributes: DeliveryAttributes): DeliveryAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
