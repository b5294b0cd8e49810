import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { changeItem } from '../table/change.ts';
import { dueDeliveryPartition, dueDeliveryShards, erasureKey, type Key } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';
import { type Delivery, deliveryOf, positionOf } from './deliveries.ts';

/** Something that should have happened: an attempt, or the erasure of a deleted webhook's log. */
export interface DueItem extends Key {
  readonly dueAt: string;
}

/** What is due before a moment, the oldest first, at most `limit` of each shard: four empty queries when nothing is. */
export async function listDue(before: Date, limit: number): Promise<DueItem[]> {
  const shards = Array.from({ length: dueDeliveryShards }, (_, shard) => dueDeliveryPartition(shard));
  const pages = await Promise.all(
    shards.map((partition) =>
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
    .map(({ pk, sk, due_sk }) => ({ pk: String(pk), sk: String(sk), dueAt: String(due_sk) }));
}

/** Puts an item off, so that it is swept once and not at every look. Null when it has moved meanwhile. */
export async function putOff({ pk, sk, dueAt }: DueItem, until: Date): Promise<Delivery | 'erasure' | null> {
  const item = await changeItem({ pk, sk }, { set: { due_sk: until.toISOString() }, expect: { due_sk: dueAt } });
  if (!item) return null;
  return isErasure({ pk, sk }) ? 'erasure' : deliveryOf(item);
}

function isErasure({ pk, sk }: Key): boolean {
  const { workspaceId, webhookId } = positionOf({ pk, sk });
  return sk === erasureKey(workspaceId, webhookId).sk;
}

/** Everything that stood beside a deleted webhook's log; the note of the erasure is the last to go. */
export async function closeErasure(keys: readonly Key[]): Promise<void> {
  for (const key of keys) await documents.send(new DeleteCommand({ TableName: tableName(), Key: key }));
}
