import { leaversPartition } from '../table/keys.ts';
import { queryAll } from '../table/table.ts';

/** Everybody who has left a kind of mail (`name:value`), in canonical form: some 10,000 of them are 1 MB, which one call reads. */
export async function leaversOf(workspaceId: string, tag: string): Promise<Set<string>> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': leaversPartition(workspaceId, tag) },
    ProjectionExpression: 'sk',
    ConsistentRead: true,
  });
  return new Set(items.map(({ sk }) => String(sk)));
}
