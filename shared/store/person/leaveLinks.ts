import { randomBytes } from 'node:crypto';
import { GetCommand, PutCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { leaveLinkKey, leaveLinkOfKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/**
 * The id of the link by which somebody leaves a workspace; made at the first call, and theirs for good. It is chance:
 * nobody who knows the address, the salt or the service secret can guess it.
 */
export async function ensureLeaveLink(workspaceId: string, address: string): Promise<string> {
  const Key = leaveLinkOfKey(workspaceId, address);
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key }));
  if (Item) return String(Item.link_id);
  const linkId = randomBytes(16).toString('base64url');
  // First, so that no link is given out that leads nowhere; one that a neighbour made faster is the person's.
  const link = { ...leaveLinkKey(workspaceId, linkId), email: address };
  await documents.send(new PutCommand({ TableName: tableName(), Item: link }));
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key,
      UpdateExpression: 'SET link_id = if_not_exists(link_id, :id)',
      ExpressionAttributeValues: { ':id': linkId },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return String(Attributes?.link_id);
}

/** Whose link it is: their address, their alias once they were erased; null when it is nobody's. */
export async function findLeaver(workspaceId: string, linkId: string): Promise<string | null> {
  const Key = leaveLinkKey(workspaceId, linkId);
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return Item ? String(Item.email) : null;
}
