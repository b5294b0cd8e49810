import { GetCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { heardKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Until when the messages were sent whose acceptance the provider has told of; it never goes back. */
export async function noteHeard(sentAt: Date): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: heardKey,
        UpdateExpression: 'SET heard_up_to = :at',
        ConditionExpression: 'attribute_not_exists(heard_up_to) OR heard_up_to < :at',
        ExpressionAttributeValues: { ':at': sentAt.getTime() },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The same in milliseconds since the epoch, strongly consistent; null when nothing was heard yet. */
export async function getHeardUpTo(): Promise<number | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: heardKey, ConsistentRead: true }),
  );
  return Item ? Number(Item.heard_up_to) : null;
}
