import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import { deliveryStatuses } from '../../domain/webhook/deliveryDecision.ts';
import { deliveredTypes } from '../../domain/webhook/eventType.ts';
import { type Change, changeItem } from '../table/change.ts';
import {
  deliveriesPartition,
  deliveryKey,
  dueDeliveryPartition,
  dueDeliveryShards,
  type Key,
  webhookKey,
} from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, type Item, type TransactionPart, tableName } from '../table/table.ts';
import { type Webhook, webhookOf } from './webhooks.ts';

/**
 * One delivery: an event on its way to one webhook. Kept small, since every write of it is charged by the kilobyte: what
 * its key says already is not said again.
 */
const record = z.object({
  event_id: z.string(),
  event_type: z.enum(deliveredTypes),
  /** The bytes that are posted, each time the same. */
  body: z.string(),
  status: z.enum(deliveryStatuses),
  /** Automatic attempts made; a replay counts apart, since it moves no retry. */
  tries: z.number(),
  replays: z.number().optional(),
  /** What came of the last attempt. */
  response_status: z.number().optional(),
  response_body: z.string().optional(),
  error: z.string().optional(),
  duration_ms: z.number().optional(),
  /** Absent while the first attempt is on its way, and when there is none to come. */
  next_attempt_at: z.string().optional(),
  claimed_until: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string().optional(),
  expires_at: z.number(),
  /** In the index `due`: when the sweeper is to look after it. */
  due_pk: z.string().optional(),
  due_sk: z.string().optional(),
});

export type DeliveryRecord = z.output<typeof record>;

export interface DeliveryPosition {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

export interface Delivery extends DeliveryPosition {
  readonly record: DeliveryRecord;
}

/** The keys of the index `due`: a delivery stays in one shard, and moves within it. */
export const dueKeys = (deliveryId: string, at: Date): { due_pk: string; due_sk: string } => ({
  due_pk: dueDeliveryPartition(shardOf(deliveryId, dueDeliveryShards)),
  due_sk: at.toISOString(),
});

/** What a transaction holds for new deliveries. */
export const deliveryParts = (deliveries: readonly Delivery[]): TransactionPart[] =>
  deliveries.map((delivery) => ({ Put: deliveryPut(delivery) }));

function deliveryPut({ record: fields, ...position }: Delivery) {
  return { TableName: tableName(), Item: { ...keyOf(position), ...fields } };
}

/** Writes a new delivery; false when it exists, whatever became of it. */
export async function putDelivery(delivery: Delivery): Promise<boolean> {
  try {
    await documents.send(new PutCommand({ ...deliveryPut(delivery), ConditionExpression: 'attribute_not_exists(pk)' }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** A delivery with its webhook, strongly consistent; null for what does not exist. Read together with others. */
export async function getDelivery(
  position: DeliveryPosition,
): Promise<{ webhook: Webhook | null; delivery: Delivery | null }> {
  const keys = [webhookKey(position.workspaceId, position.webhookId), keyOf(position)];
  const [webhook, delivery] = await readTogether(keys);
  return { webhook: webhook ? webhookOf(webhook) : null, delivery: delivery ? deliveryOf(delivery) : null };
}

/** Changes a delivery and answers it as it then stands; null when it is gone or what was expected does not hold. */
export async function changeDelivery(
  position: DeliveryPosition,
  change: Change<DeliveryRecord>,
): Promise<Delivery | null> {
  const item = await changeItem(keyOf(position), change);
  return item && deliveryOf(item);
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; null on the last one. */
  readonly last: string | null;
}

/** A page of a webhook's log, newest first, after the delivery `after`. What has expired is left out. */
export async function listDeliveries(
  { workspaceId, webhookId }: Omit<DeliveryPosition, 'deliveryId'>,
  page: { limit: number; after?: string | undefined; from?: string; now: Date },
): Promise<DeliveryPage> {
  const partition = deliveriesPartition(workspaceId, webhookId);
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      // Every id lies between these two; `from` leaves out what is older.
      ExpressionAttributeValues: { ':pk': partition, ':from': page.from ?? 'whd_', ':to': 'whd_~' },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: page.limit,
      ...(page.after && { ExclusiveStartKey: deliveryKey(workspaceId, webhookId, page.after) }),
    }),
  );
  const current = Items.filter((item) => Number(item.expires_at) * 1000 > page.now.getTime());
  return { deliveries: current.map(deliveryOf), last: LastEvaluatedKey ? String(LastEvaluatedKey.sk) : null };
}

/** Any of a webhook's deliveries, expired ones too. */
export async function listAnyDeliveries(
  { workspaceId, webhookId }: Omit<DeliveryPosition, 'deliveryId'>,
  limit: number,
): Promise<Delivery[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': deliveriesPartition(workspaceId, webhookId), ':prefix': 'whd_' },
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items.map(deliveryOf);
}

/** Deletes up to 25 deliveries (DynamoDB's limit); what it leaves for want of capacity is found again by the caller. */
export async function deleteDeliveries(deliveries: readonly DeliveryPosition[]): Promise<void> {
  if (deliveries.length === 0) return;
  const requests = deliveries.map((position) => ({ DeleteRequest: { Key: keyOf(position) } }));
  await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
}

export function deliveryOf(item: Item): Delivery {
  const key = { pk: String(item.pk), sk: String(item.sk) };
  return { ...positionOf(key), record: record.parse(item) };
}

/** The position behind `WS#<workspace>#WEBHOOK#<webhook>` and a delivery id. */
export function positionOf({ pk, sk }: Key): DeliveryPosition {
  const [, workspaceId = '', , webhookId = ''] = pk.split('#');
  return { workspaceId, webhookId, deliveryId: sk };
}

const keyOf = ({ workspaceId, webhookId, deliveryId }: DeliveryPosition): Key =>
  deliveryKey(workspaceId, webhookId, deliveryId);
