import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { addressItemKey, platformAddressKey } from './keys.ts';
import { type Suppression, suppressionOf } from './suppression.ts';
import { documents, type Item, tableName } from './table.ts';

/**
 * Takes an address (canonical form) off the list of a workspace, or of the platform when `workspaceId` is null. Answers
 * what stood there, null when nothing did. A person of the workspace stays, with the status that they had.
 */
export async function removeSuppression(workspaceId: string | null, email: string): Promise<Suppression | null> {
  const key = workspaceId === null ? platformAddressKey(email) : addressItemKey(workspaceId, email);
  const before = await conditionally(async () => {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'REMOVE suppression_reason, suppression_rank, suppressed_at, suppressed_pk, suppressed_sk',
        ConditionExpression: 'attribute_exists(suppression_reason)',
        ReturnValues: 'ALL_OLD',
      }),
    );
    return Attributes;
  });
  if (!before) return null;
  if (!isPerson(before)) await deleteEmpty(key);
  return suppressionOf(before);
}

const isPerson = (item: Item): boolean => item.status !== undefined;

/** Nothing is left but an address, unless it has become a person or was suppressed anew meanwhile. */
async function deleteEmpty(Key: Item): Promise<void> {
  await conditionally(() =>
    documents.send(
      new DeleteCommand({
        TableName: tableName(),
        Key,
        ConditionExpression: 'attribute_not_exists(suppression_reason) AND attribute_not_exists(#status)',
        ExpressionAttributeNames: { '#status': 'status' },
      }),
    ),
  );
}

async function conditionally<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
