import { shardOf } from '../../domain/encoding/shard.ts';
import { dueDeliveryPartition, dueDeliveryShards, erasureKey } from '../table/keys.ts';
import { type TransactionPart, tableName } from '../table/table.ts';

/** The note that a deleted webhook's log must follow. The sweeper finds it when the message that says so was lost. */
export function erasurePart(workspaceId: string, webhookId: string, now: Date): TransactionPart {
  return {
    Put: {
      TableName: tableName(),
      Item: {
        ...erasureKey(workspaceId, webhookId),
        due_pk: dueDeliveryPartition(shardOf(webhookId, dueDeliveryShards)),
        due_sk: now.toISOString(),
      },
    },
  };
}
