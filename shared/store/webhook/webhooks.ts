import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { eventTypes } from '../../domain/webhook/eventType.ts';
import { type Change, changeItem } from '../table/change.ts';
import { webhookCountKey, webhookKey, webhooksPartition } from '../table/keys.ts';
import { documents, type Item, queryAll, type TransactionPart, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { erasurePart } from './erasures.ts';

const record = z.object({
  workspace_id: z.string(),
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  /** Sealed: see shared/services/webhooks/webhookSecret.ts. */
  secret: z.string(),
  /** The one before the last rotation; it signs too until its time is over. */
  previous_secret: z.string().optional(),
  previous_secret_until: z.string().optional(),
  /** Why the service itself disabled it. */
  disabled_reason: z.enum(['failing']).optional(),
  /** When a retry failed for the first time since the last success. */
  failing_since: z.string().optional(),
  /** Until then its attempts need a slot: it was seen to answer slowly. */
  slow_until: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type Webhook = z.output<typeof record>;

export const webhookOf = (item: Item): Webhook => record.parse(item);

/** Writes a new webhook; false when the workspace has `limit` of them already, however many calls race for the last. */
export async function putWebhook(webhook: Webhook, limit: number): Promise<boolean> {
  const key = webhookKey(webhook.workspace_id, webhook.webhook_id);
  const count = countPart(webhook.workspace_id, 1, {
    ConditionExpression: 'attribute_not_exists(webhooks) OR webhooks < :limit',
    ExpressionAttributeValues: { ':limit': limit },
  });
  const put = {
    Put: { TableName: tableName(), Item: { ...key, ...webhook }, ConditionExpression: 'attribute_not_exists(pk)' },
  };
  return (await transact([count, put])) === null;
}

/** One webhook, strongly consistent. Null when there is none. */
export async function getWebhook(workspaceId: string, webhookId: string): Promise<Webhook | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: webhookKey(workspaceId, webhookId), ConsistentRead: true }),
  );
  return Item ? webhookOf(Item) : null;
}

/** Every webhook of a workspace, newest first: one query, strongly consistent, so that no event misses a new one. */
export async function listWebhooks(workspaceId: string): Promise<Webhook[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': webhooksPartition(workspaceId), ':prefix': 'whk_' },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return items.map(webhookOf);
}

/** Changes a webhook and answers it as it then stands; null when it is gone or what was expected does not hold. */
export async function changeWebhook(
  workspaceId: string,
  webhookId: string,
  change: Change<Webhook>,
): Promise<Webhook | null> {
  const item = await changeItem(webhookKey(workspaceId, webhookId), change);
  return item && webhookOf(item);
}

/** Removes a webhook and notes, in the same transaction, that its log must follow. False when there is none. */
export async function deleteWebhook(workspaceId: string, webhookId: string, now: Date): Promise<boolean> {
  const remove = {
    Delete: {
      TableName: tableName(),
      Key: webhookKey(workspaceId, webhookId),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  const parts = [countPart(workspaceId, -1, {}), remove, erasurePart(workspaceId, webhookId, now)];
  return (await transact(parts)) === null;
}

function countPart(
  workspaceId: string,
  change: 1 | -1,
  condition: { ConditionExpression?: string; ExpressionAttributeValues?: Record<string, unknown> },
): TransactionPart {
  return {
    Update: {
      TableName: tableName(),
      Key: webhookCountKey(workspaceId),
      UpdateExpression: 'ADD webhooks :change',
      ...condition,
      ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':change': change },
    },
  };
}
