import { QueryCommand } from '../dynamodb/commands.ts';
import { documents, tableName } from './table.ts';

/** A page of an index whose sort key is `<time>#<address>`, newest first. */
export async function newestPositions(
  index: string,
  partition: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ positions: string[]; next: string | null }> {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: after === undefined ? '#pk = :pk' : '#pk = :pk AND #sk < :after',
      ExpressionAttributeNames: { '#pk': `${index}_pk`, ...(after === undefined ? {} : { '#sk': `${index}_sk` }) },
      ExpressionAttributeValues: { ':pk': partition, ...(after === undefined ? {} : { ':after': after }) },
      ScanIndexForward: false,
      Limit: limit + 1,
    }),
  );
  const read = (Items ?? []).map((item) => String(item[`${index}_sk`]));
  const positions = read.slice(0, limit);
  return { positions, next: read.length > limit ? (positions.at(-1) ?? null) : null };
}

/** The address behind the time. */
export const addressOfPosition = (position: string): string => position.slice(position.indexOf('#') + 1);
