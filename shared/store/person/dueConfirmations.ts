import { QueryCommand } from '../dynamodb/commands.ts';
import { dueConfirmationPartition, dueConfirmationShards } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Who should have had their confirmation by `now`, oldest first: a few empty queries when there is nothing to do. */
export async function listDueConfirmations(
  now: Date,
  limitOfShard: number,
): Promise<{ workspaceId: string; email: string }[]> {
  const shards = Array.from({ length: dueConfirmationShards }, (_, shard) => dueOfShard(shard, now, limitOfShard));
  return (await Promise.all(shards)).flat();
}

async function dueOfShard(shard: number, now: Date, limit: number) {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: 'due',
      KeyConditionExpression: 'due_pk = :pk AND due_sk < :now',
      ExpressionAttributeValues: { ':pk': dueConfirmationPartition(shard), ':now': now.toISOString() },
      Limit: limit,
    }),
  );
  return (Items ?? []).map((item) => positionOf(String(item.due_sk)));
}

/** `<time>#<workspace>#<address>`; an address may hold a `#` itself. */
function positionOf(position: string): { workspaceId: string; email: string } {
  const [, workspaceId = '', ...rest] = position.split('#');
  return { workspaceId, email: rest.join('#') };
}
