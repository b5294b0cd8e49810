import { shardOf } from '../../domain/encoding/shard.ts';
import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { DeleteCommand } from '../dynamodb/commands.ts';
import { dueDeliveryPartition, dueDeliveryShards, erasureKey, slotsKey } from '../table/keys.ts';
import { documents, type TransactionPart, tableName } from '../table/table.ts';

/** The note that a deleted webhook's log must follow. The sweeper finds it when the message that says so was lost. */
export function erasurePart({ workspaceId, webhookId }: WebhookPosition, now: Date): TransactionPart {
  return {
    Put: {
      TableName: tableName(),
      Item: {
        ...erasureKey(workspaceId, webhookId),
        due_pk: dueDeliveryPartition('live', shardOf(webhookId, dueDeliveryShards)),
        due_sk: now.toISOString(),
      },
    },
  };
}

/** Deletes what stood beside a deleted webhook's log; the note of the erasure is the last to go. */
export async function closeErasure({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  for (const key of [slotsKey(workspaceId, webhookId), erasureKey(workspaceId, webhookId)]) {
    await documents.send(new DeleteCommand({ TableName: tableName(), Key: key }));
  }
}
