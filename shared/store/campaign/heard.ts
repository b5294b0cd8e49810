import { GetCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { campaignHeardKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** The time of the latest event of campaign mail that was dealt with; null before there was one. */
export async function getHeardUpTo(): Promise<Date | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: campaignHeardKey, ConsistentRead: true }),
  );
  return Item?.up_to === undefined ? null : new Date(Item.up_to);
}

/** Notes the time of an event that was dealt with, unless a later one was. */
export async function putHeardUpTo(at: Date): Promise<void> {
  await advance('up_to', at, at);
}

/** Notes that a probe goes out now; false when one did since `since`. */
export const noteProbe = (now: Date, since: Date): Promise<boolean> => advance('probed_at', now, since);

/** Notes that events which were given up are being put back. */
export async function noteRedriven(now: Date): Promise<void> {
  await advance('redriven_at', now, now);
}

/** When that was last; null when it never was. */
export async function getRedrivenAt(): Promise<Date | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: campaignHeardKey, ConsistentRead: true }),
  );
  return Item?.redriven_at === undefined ? null : new Date(Item.redriven_at);
}

/** Sets a time unless it stands at `bound` or later; false when it does. */
async function advance(name: 'up_to' | 'probed_at' | 'redriven_at', at: Date, bound: Date): Promise<boolean> {
  return conditionHolds(() =>
    documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: campaignHeardKey,
        UpdateExpression: 'SET #name = :at',
        ConditionExpression: 'attribute_not_exists(#name) OR #name < :bound',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':at': at.toISOString(), ':bound': bound.toISOString() },
      }),
    ),
  );
}
