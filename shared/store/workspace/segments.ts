import * as z from 'zod';
import type { Segment } from '../../domain/segment/segment.ts';
import { segmentRule } from '../../domain/segment/segmentRule.ts';
import { GetCommand, PutCommand } from '../dynamodb/commands.ts';
import { segmentKey, segmentsPartition } from '../table/keys.ts';
import { deleteExisting, documents, type Item, queryAll, tableName } from '../table/table.ts';

/** The rule is kept as text: it is read whole or not at all. */
const stored = z.object({ id: z.string(), name: z.string(), rule: z.string(), created_at: z.string() }).transform(
  (item): Segment => ({
    id: item.id,
    name: item.name,
    rule: segmentRule.parse(JSON.parse(item.rule)),
    createdAt: item.created_at,
  }),
);

const segmentOf = (item: Item): Segment => stored.parse(item);

export async function putSegment(workspaceId: string, { id, name, rule, createdAt }: Segment): Promise<void> {
  const item = { ...segmentKey(workspaceId, id), id, name, rule: JSON.stringify(rule), created_at: createdAt };
  await documents.send(new PutCommand({ TableName: tableName(), Item: item }));
}

export async function getSegment(workspaceId: string, segmentId: string): Promise<Segment | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: segmentKey(workspaceId, segmentId), ConsistentRead: true }),
  );
  return Item ? segmentOf(Item) : null;
}

/** The oldest first; a workspace has few. */
export async function listSegments(workspaceId: string): Promise<Segment[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': segmentsPartition(workspaceId) },
    ConsistentRead: true,
  });
  return items.map(segmentOf);
}

/** False when there was none. */
export const deleteSegment = (workspaceId: string, segmentId: string): Promise<boolean> =>
  deleteExisting(segmentKey(workspaceId, segmentId));
