import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb.ts';
import { ensureTable } from '../../../infra/local/engines/tableResource.ts';
import { temporaryFolder } from '../../infra/local/processes.ts';

/** The table on an engine of its own, and this process's environment pointed at it; to be started before it is used. */
export async function startTestTable(): Promise<{ stop(): Promise<void> }> {
  const folder = await temporaryFolder();
  const engine = await startDynamoDb({ dataDir: folder.path });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    TABLE_NAME: 'test',
  });
  const client = new DynamoDBClient({});
  await ensureTable(client, 'test');
  return {
    stop: async () => {
      client.destroy();
      await engine.stop();
      await folder.remove();
    },
  };
}
