import { QueryCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { dueScheduledPartition, dueScheduledShards, type Key } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import type { Due } from './scheduledEmails.ts';
import { type ScheduledEmail, scheduledOf } from './scheduledItem.ts';

export interface DueScheduled {
  readonly workspaceId: string;
  readonly key: Key;
  readonly shard: number;
  /** As it stands in the index. */
  readonly dueAt: Date;
}

/** What is due by a moment, the oldest first, at most `limit` of each shard. */
export async function listDueScheduled(stage: Due['stage'], by: Date, limit: number): Promise<DueScheduled[]> {
  const pages = await Promise.all(
    Array.from({ length: dueScheduledShards }, async (_, shard) => {
      const { Items = [] } = await documents.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: 'due',
          KeyConditionExpression: 'due_pk = :pk AND due_sk <= :by',
          ExpressionAttributeValues: { ':pk': dueScheduledPartition(stage, shard), ':by': by.toISOString() },
          Limit: limit,
        }),
      );
      return Items.map(({ pk, sk, due_sk }) => ({
        workspaceId: String(pk).split('#')[1] ?? '',
        key: { pk: String(pk), sk: String(sk) },
        shard,
        dueAt: new Date(String(due_sk)),
      }));
    }),
  );
  return pages.flat();
}

/** Takes it for the queue, to be looked at again only when it is late; null when it has moved meanwhile. */
export async function takeDue({ key, shard, dueAt }: DueScheduled, lateAt: Date): Promise<ScheduledEmail | null> {
  const item = await changeItem<Item>(key, {
    set: { due_pk: dueScheduledPartition('queued', shard), due_sk: lateAt.toISOString() },
    expect: { due_sk: dueAt.toISOString() },
  });
  return item && scheduledOf(item);
}
