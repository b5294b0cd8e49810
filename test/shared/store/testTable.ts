import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../infra/local/dynamodb/dynamodb.ts';
import { ensureTable } from '../../../infra/local/dynamodb/tableResource.ts';
import { temporaryFolder } from '../../infra/local/processes.ts';

/** Points this process's environment at the table of an engine: to be called before anything of the store is imported. */
export function useTable(endpoint: string): void {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    TABLE_NAME: 'test',
  });
}

/** The table on an engine of its own, in use by this process. */
export async function startTestTable(): Promise<{ readonly folder: string; stop(): Promise<void> }> {
  const folder = await temporaryFolder();
  const engine = await startDynamoDb({ dataDir: folder.path });
  useTable(engine.endpoint);
  const client = new DynamoDBClient({});
  await ensureTable(client, 'test');
  return {
    folder: folder.path,
    stop: async () => {
      client.destroy();
      await engine.stop();
      await folder.remove();
    },
  };
}
