import { type Delivery, type DeliveryPosition, lanes } from '../../domain/webhook/delivery.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { QueryCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { dueDeliveryPartition, dueDeliveryShards, erasureKey, type Key } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';
import { deliveryOf, keyOf, positionOf } from './deliveryItem.ts';

/** Something that should have happened: an attempt, or the erasure of a deleted webhook's log. */
export type DueWork = { readonly dueAt: Date } & (
  | ({ readonly kind: 'attempt' } & DeliveryPosition)
  | ({ readonly kind: 'erasure' } & WebhookPosition)
);

/** What is due before a moment, the oldest first, at most `limit` of each shard: eight empty queries when nothing is. */
export async function listDueWork(before: Date, limit: number): Promise<DueWork[]> {
  const partitions = lanes.flatMap((lane) =>
    Array.from({ length: dueDeliveryShards }, (_, shard) => dueDeliveryPartition(lane, shard)),
  );
  const pages = await Promise.all(
    partitions.map((partition) =>
      documents.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: 'due',
          KeyConditionExpression: 'due_pk = :pk AND due_sk < :before',
          ExpressionAttributeValues: { ':pk': partition, ':before': before.toISOString() },
          Limit: limit,
        }),
      ),
    ),
  );
  return pages
    .flatMap(({ Items = [] }) => Items)
    .map(({ pk, sk, due_sk }) => workOf({ pk: String(pk), sk: String(sk) }, new Date(String(due_sk))));
}

function workOf(key: Key, dueAt: Date): DueWork {
  const { workspaceId, webhookId, deliveryId } = positionOf(key);
  return key.sk === erasureKey(workspaceId, webhookId).sk
    ? { kind: 'erasure', workspaceId, webhookId, dueAt }
    : { kind: 'attempt', workspaceId, webhookId, deliveryId, dueAt };
}

/** Puts an attempt off, so that it is swept once and not at every look. Null when it has moved meanwhile. */
export async function putOffAttempt(work: DeliveryPosition & { dueAt: Date }, until: Date): Promise<Delivery | null> {
  const item = await putOff(keyOf(work), work.dueAt, until);
  return item && deliveryOf(item);
}

/** The same for an erasure; false when it is done. */
export async function putOffErasure(work: WebhookPosition & { dueAt: Date }, until: Date): Promise<boolean> {
  return (await putOff(erasureKey(work.workspaceId, work.webhookId), work.dueAt, until)) !== null;
}

function putOff(key: Key, dueAt: Date, until: Date) {
  return changeItem(key, { set: { due_sk: until.toISOString() }, expect: { due_sk: dueAt.toISOString() } });
}
