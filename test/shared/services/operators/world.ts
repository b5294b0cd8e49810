import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/engines/dynamodb.ts';
import { ensureTable } from '../../../../infra/local/engines/tableResource.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';

/** A table and a secret of their own, and this process's environment pointed at them. */
export async function startWorld() {
  const folder = await temporaryFolder();
  const dynamodb = await startDynamoDb({ dataDir: folder.path });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const table = new DynamoDBClient({ endpoint: dynamodb.endpoint, region: 'us-east-1', credentials });
  await ensureTable(table, 'test');
  const secretFile = join(folder.path, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    TABLE_NAME: 'test',
    SERVICE_SECRET_FILE: secretFile,
    PUBLIC_URL: 'http://127.0.0.1:8787',
  });
  return {
    stop: async () => {
      table.destroy();
      await dynamodb.stop();
      await folder.remove();
    },
  };
}
