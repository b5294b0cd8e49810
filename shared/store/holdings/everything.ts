import { inParallel } from '../../platform/parallel.ts';
import { ScanCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { erasedName } from '../suppression/blocks.ts';
import { batchWrite } from '../table/batchWrite.ts';
import { type Key, keysOfWorkspace, workspaceKey, workspacePartition, workspacePrefix } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

export interface DeletedPage {
  readonly scanned: number;
  readonly deleted: number;
  /** Where the next page begins; null at the end of the table. */
  readonly next: Key | null;
}

const itemsOfPage = 2000;
const callsAtOnce = 8;

/**
 * Deletes what a page of the table holds of a workspace, save the item that says that there is one: its partitions, its
 * keys, and what it has left in the blocks of addresses.
 */
export async function deletePage(workspaceId: string, start: Key | null): Promise<DeletedPage> {
  const { keys, blocks } = keysOfWorkspace;
  const {
    Items = [],
    ScannedCount,
    LastEvaluatedKey,
  } = await documents.send(
    new ScanCommand({
      TableName: tableName(),
      Limit: itemsOfPage,
      ConsistentRead: true,
      FilterExpression:
        'begins_with(pk, :prefix) OR (pk = :own AND sk <> :itself) OR ' +
        '(begins_with(pk, :keys) AND workspace_id = :id) OR (begins_with(pk, :blocks) AND attribute_exists(#erased))',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeNames: { '#erased': erasedName(workspaceId) },
      ExpressionAttributeValues: {
        ':prefix': workspacePrefix(workspaceId),
        ':own': workspacePartition(workspaceId),
        ':itself': workspaceKey(workspaceId).sk,
        ':keys': keys,
        ':blocks': blocks,
        ':id': workspaceId,
      },
      ...(start && { ExclusiveStartKey: start }),
    }),
  );
  const found = Items.map(({ pk, sk }): Key => ({ pk: String(pk), sk: String(sk) }));
  const isBlock = ({ pk }: Key) => pk.startsWith(blocks);
  await batchWrite(found.filter((key) => !isBlock(key)).map((Key) => ({ DeleteRequest: { Key } })));
  await inParallel(callsAtOnce, found.filter(isBlock), (key) => leaveBlock(key, workspaceId));
  const next = LastEvaluatedKey ? { pk: String(LastEvaluatedKey.pk), sk: String(LastEvaluatedKey.sk) } : null;
  return { scanned: ScannedCount ?? 0, deleted: found.length, next };
}

/** Other workspaces, or the platform, may have something in it too. */
async function leaveBlock(Key: Key, workspaceId: string): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key,
      UpdateExpression: 'REMOVE #erased',
      ExpressionAttributeNames: { '#erased': erasedName(workspaceId) },
    }),
  );
}
