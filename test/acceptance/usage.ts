import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dayKey, monthKey } from '../../shared/store/table/keys.ts';
import type { TestService } from './service.ts';

/** Sets a workspace's usage of this month's quota, and its sent and bounced messages of today. */
export async function addUsage(
  service: TestService,
  workspaceId: string,
  { used = 0, sent = 0, bounced = 0 }: { used?: number; sent?: number; bounced?: number },
): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const TableName = service.environment.TABLE_NAME;
  const documents = DynamoDBDocumentClient.from(client);
  const today = new Date().toISOString().slice(0, 10);
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: monthKey(workspaceId, today.slice(0, 7)),
      UpdateExpression: 'ADD used :used, #day :sent',
      ExpressionAttributeNames: { '#day': `d${today.slice(8)}` },
      ExpressionAttributeValues: { ':used': used, ':sent': sent },
    }),
  );
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: dayKey(workspaceId, today),
      UpdateExpression: 'ADD bounced :bounced',
      ExpressionAttributeValues: { ':bounced': bounced },
    }),
  );
  client.destroy();
}
