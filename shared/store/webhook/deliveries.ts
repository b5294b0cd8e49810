import type { Delivery, DeliveryPosition } from '../../domain/webhook/delivery.ts';
import type { Webhook, WebhookPosition } from '../../domain/webhook/webhook.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { PutCommand, QueryCommand } from '../dynamodb/commands.ts';
import { batchWrite } from '../table/batchWrite.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { deliveriesPartition, deliveryKey, webhookKey } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, type TransactionPart, tableName } from '../table/table.ts';
import { deliveryOf, keyOf, newDeliveryItem } from './deliveryItem.ts';
import { webhookOf } from './webhookItem.ts';

/** What a transaction holds for new deliveries. */
export const deliveryParts = (deliveries: readonly Delivery[]): TransactionPart[] =>
  deliveries.map((delivery) => ({ Put: { TableName: tableName(), Item: newDeliveryItem(delivery) } }));

/** Writes a new delivery; false when it exists, whatever became of it. */
export async function addDelivery(delivery: Delivery): Promise<boolean> {
  return conditionHolds(() =>
    documents.send(
      new PutCommand({
        TableName: tableName(),
        Item: newDeliveryItem(delivery),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
}

/** A delivery with its webhook, strongly consistent; null for what does not exist. Read together with others. */
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

/** A page of a webhook's log, newest first, after the delivery `after`. What has expired is left out. */
export async function listDeliveries(
  { workspaceId, webhookId }: WebhookPosition,
  page: { limit: number; after?: string | undefined; from?: string; now: Date },
): Promise<DeliveryPage> {
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      // Every id lies between these two; `from` leaves out what is older.
      ExpressionAttributeValues: {
        ':pk': deliveriesPartition(workspaceId, webhookId),
        ':from': page.from ?? 'whd_',
        ':to': 'whd_~',
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: page.limit,
      ...(page.after && { ExclusiveStartKey: deliveryKey(workspaceId, webhookId, page.after) }),
    }),
  );
  const current = Items.filter((item) => Number(item.expires_at) > epochSeconds(page.now));
  return { deliveries: current.map(deliveryOf), last: LastEvaluatedKey ? String(LastEvaluatedKey.sk) : null };
}

/** Any of a webhook's deliveries, expired ones too. */
export async function listAnyDeliveries(
  { workspaceId, webhookId }: WebhookPosition,
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

export const deleteDeliveries = (deliveries: readonly DeliveryPosition[]): Promise<void> =>
  batchWrite(deliveries.map((position) => ({ DeleteRequest: { Key: keyOf(position) } })));
