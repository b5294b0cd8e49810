import * as z from 'zod';
import { shardOf } from '../../domain/encoding.ts';
import {
  type AttemptOutcome,
  type Delivery,
  type DeliveryPosition,
  deliveryStatuses,
  type LoggedAttempt,
} from '../../domain/webhook/delivery.ts';
import type { DeliveredType, Webhook, WebhookPosition } from '../../domain/webhook/webhook.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { deleteItems, readTogether } from '../table/batches.ts';
import { erasedFields, type FieldRules, internal } from '../table/fieldRules.ts';
import {
  deliveriesPartition,
  deliveryKey,
  dueDeliveryPartition,
  dueDeliveryShards,
  type Indexed,
  type Key,
  webhookKey,
} from '../table/keys.ts';
import { type Item, queryItems, queryPage, type TransactionPart } from '../table/table.ts';
import { putItem, putPart } from '../table/write.ts';
import { webhookOf } from './webhooks.ts';

const moment = z.string().transform((text) => new Date(text));

/**
 * Kept small, since every write of it is charged by the kilobyte: it repeats nothing of its key, and absent attributes
 * have defaults.
 */
const record = z.object({
  event_id: z.string(),
  /** A type that only a later release knows is shown as stored. */
  event_type: z.string().transform((type) => type as DeliveredType),
  body: z.string(),
  /** Left out for `live`; a lane that only a later release knows counts as `live`. */
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
  /** The marker of the latest recorded replay. */
  last_replay: z.string().optional(),
  expires_at: z.number(),
  /** Attributes of the index `due`. */
  due_pk: z.string().optional(),
  due_sk: moment.optional(),
});

export type DeliveryRecord = Readonly<z.input<typeof record>>;

/** Details of an attempt; `shown` under the names of the API. */
const attempted = { erasure: 'keep', inExport: 'by code', shown: 'in lists' } as const;

export const deliveryRules = {
  event_id: attempted,
  event_type: attempted,
  /** Its data is removed by code. */
  body: { erasure: 'keep', inExport: 'by code', shown: 'never', as: 'event' },
  lane: internal,
  status: attempted,
  tries: attempted,
  replays: attempted,
  log: { erasure: 'keep', inExport: 'by code', shown: 'in details' },
  response_status: attempted,
  /** A receiver can echo the data that it got. */
  response_body: { erasure: 'remove', inExport: 'by code', shown: 'in lists' },
  error: attempted,
  duration_ms: attempted,
  next_attempt_at: attempted,
  claimed_until: internal,
  created_at: attempted,
  updated_at: attempted,
  last_replay: internal,
} as const satisfies FieldRules<DeliveryRecord>;

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

/** The record of a new delivery: before its first attempt, or after its only one (a test event). */
export function newDeliveryRecord(delivery: Delivery): DeliveryRecord {
  const isTouched = delivery.updatedAt.getTime() !== delivery.createdAt.getTime();
  return {
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    body: delivery.body,
    status: delivery.status,
    tries: delivery.tries,
    lane: delivery.lane === 'live' ? undefined : delivery.lane,
    response_status: delivery.responseStatus ?? undefined,
    response_body: delivery.responseBody ?? undefined,
    error: delivery.error ?? undefined,
    duration_ms: delivery.durationMilliseconds ?? undefined,
    updated_at: isTouched ? delivery.updatedAt.toISOString() : undefined,
    created_at: delivery.createdAt.toISOString(),
    expires_at: epochSeconds(delivery.expiresAt),
    ...(delivery.dueAt && dueAttributes(delivery, delivery.dueAt)),
  };
}

/** The keys of the index `due`: a delivery stays in one shard and moves within it. */
export const dueAttributes = (
  { deliveryId, lane }: Pick<Delivery, 'deliveryId' | 'lane'>,
  at: Date,
): Required<Indexed<'due'>> => ({
  due_pk: dueDeliveryPartition(lane, shardOf(deliveryId, dueDeliveryShards)),
  due_sk: at.toISOString(),
});

/** What an attempt writes besides the delivery's state, and which of these attributes have no value. */
export function traceOf(outcome: AttemptOutcome, at: Date) {
  const answer = {
    response_status: outcome.status ?? undefined,
    response_body: outcome.body ?? undefined,
    error: outcome.error ?? undefined,
  };
  const absent = (['response_status', 'response_body', 'error'] as const).filter((name) => answer[name] === undefined);
  return { set: { duration_ms: outcome.durationMilliseconds, updated_at: at.toISOString(), ...answer }, absent };
}

/** Entries of the log as they are stored. */
export const logEntries = (attempts: readonly LoggedAttempt[]): NonNullable<DeliveryRecord['log']> =>
  attempts.map(({ at, isReplay, responseStatus, error, durationMilliseconds }) => ({
    at: at.toISOString(),
    ms: durationMilliseconds,
    ...(isReplay && { replay: true }),
    ...(responseStatus !== null && { status: responseStatus }),
    ...(error !== null && { error }),
  }));

/** Attributes that only open deliveries have. */
export const openAttributes = ['next_attempt_at', 'claimed_until', 'due_pk', 'due_sk'] as const;

export const keyOf = ({ workspaceId, webhookId, deliveryId }: DeliveryPosition): Key =>
  deliveryKey(workspaceId, webhookId, deliveryId);

/** The position of a key: `WS#<workspace>#WEBHOOK#<webhook>` and a delivery id. */
export function positionOf({ pk, sk }: Key): DeliveryPosition {
  const [, workspaceId = '', , webhookId = ''] = pk.split('#');
  return { workspaceId, webhookId, deliveryId: sk };
}

/** The parts of a transaction that write new deliveries. */
export const deliveryParts = (deliveries: readonly Delivery[]): TransactionPart[] =>
  deliveries.map((delivery) => putPart<DeliveryRecord>(keyOf(delivery), newDeliveryRecord(delivery)));

/** Writes a new delivery; false when it exists, whatever its status. */
export const addDelivery = (delivery: Delivery): Promise<boolean> =>
  putItem<DeliveryRecord>(keyOf(delivery), newDeliveryRecord(delivery), { if: [['pk', 'absent']] });

/** A delivery with its webhook, strongly consistent; null for what does not exist. Concurrent requests share a read. */
export async function getDelivery(
  position: DeliveryPosition,
): Promise<{ webhook: Webhook | null; delivery: Delivery | null }> {
  const keys = [webhookKey(position.workspaceId, position.webhookId), keyOf(position)];
  const [webhook, delivery] = await readTogether(keys);
  return { webhook: webhook ? webhookOf(webhook) : null, delivery: delivery ? deliveryOf(delivery) : null };
}

interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; null on the last one. */
  readonly last: string | null;
}

/** A page of a webhook's log, newest first, after the delivery `after`. Expired ones are left out. */
export async function listDeliveries(
  { workspaceId, webhookId }: WebhookPosition,
  page: { limit: number; after?: string | undefined; from?: string; now: Date },
): Promise<DeliveryPage> {
  const { items, last } = await queryPage({
    partition: deliveriesPartition(workspaceId, webhookId),
    // Every id is between these two; `from` excludes older ones.
    sort: { from: page.from ?? 'whd_', to: 'whd_~' },
    ...{ order: 'descending', consistency: 'strong', limit: page.limit },
    after: page.after ? deliveryKey(workspaceId, webhookId, page.after) : undefined,
  });
  const current = items.filter((item) => Number(item.expires_at) > epochSeconds(page.now));
  return { deliveries: current.map(deliveryOf), last: last ? String(last.sk) : null };
}

/** Any of a webhook's deliveries, expired ones included. */
export async function listAnyDeliveries(
  { workspaceId, webhookId }: WebhookPosition,
  limit: number,
): Promise<Delivery[]> {
  const partition = deliveriesPartition(workspaceId, webhookId);
  return (await queryItems({ partition, sort: { prefix: 'whd_' }, consistency: 'strong', limit })).map(deliveryOf);
}

export const deleteDeliveries = (deliveries: readonly DeliveryPosition[]): Promise<void> =>
  deleteItems(deliveries.map(keyOf));

/** The error of a delivery that was given up because its person was erased. */
const erasedError = 'erased';

/** The item of a delivery without the data of its event; an open delivery is given up. */
export function erasedDelivery(item: Item): Item {
  const { id, type, created_at } = JSON.parse(String(item.body)) as Record<string, unknown>;
  const body = JSON.stringify({ id, type, created_at, data: { erased: true } });
  const kept = { ...erasedFields(deliveryRules, item), body };
  if (item.status !== 'pending') return kept;
  const settled = Object.entries(kept).filter(([name]) => !(openAttributes as readonly string[]).includes(name));
  return { ...Object.fromEntries(settled), status: 'failed', error: erasedError };
}
