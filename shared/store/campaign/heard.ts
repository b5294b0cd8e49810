import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { campaignHeardKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** The time of the latest event of campaign mail that was dealt with; null before there was one. */
export async function getHeardUpTo(): Promise<Date | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: campaignHeardKey, ConsistentRead: true }),
  );
  return Item?.up_to === undefined ? null : new Date(Item.up_to);
}

/** Takes the right to send a probe; false when somebody did after `before`. */
export async function mayProbe(now: Date, before: Date): Promise<boolean> {
  return change({
    UpdateExpression: 'SET probed_at = :now',
    ConditionExpression: 'attribute_not_exists(probed_at) OR probed_at < :before',
    ExpressionAttributeValues: { ':now': now.toISOString(), ':before': before.toISOString() },
  });
}

/** Notes the time of an event that was dealt with, unless a later one was. */
export async function putHeardUpTo(at: Date): Promise<void> {
  await change({
    UpdateExpression: 'SET up_to = :at',
    ConditionExpression: 'attribute_not_exists(up_to) OR up_to < :at',
    ExpressionAttributeValues: { ':at': at.toISOString() },
  });
}

async function change(input: {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, string>;
}): Promise<boolean> {
  try {
    await documents.send(new UpdateCommand({ TableName: tableName(), Key: campaignHeardKey, ...input }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
