import type { TemplateMessage } from '../../domain/template/template.ts';
import { QueryCommand } from '../dynamodb/commands.ts';
import { templateMessagePrefix, templatePartition } from '../table/keys.ts';
import { unpack } from '../table/packed.ts';
import { documents, tableName } from '../table/table.ts';

/** What a send makes its email of: one query, strongly consistent. Null when there is no such template, or no more. */
export async function getNewestMessage(
  workspaceId: string,
  id: string,
): Promise<{ readonly version: number; readonly message: TemplateMessage } | null> {
  const { Items: [newest] = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': templatePartition(workspaceId, id), ':prefix': templateMessagePrefix },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  if (!newest || newest.ended) return null;
  return { version: Number(newest.version), message: await unpack<TemplateMessage>(newest.body as Uint8Array) };
}
