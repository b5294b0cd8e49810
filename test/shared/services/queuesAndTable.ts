import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startDynamoDb } from '../../../infra/local/dynamodb/dynamodb.ts';
import { ensureTable } from '../../../infra/local/dynamodb/tableResource.ts';
import { queueVariables } from '../../../infra/local/engines/engineEnvironment.ts';
import { startMessaging } from '../../../infra/local/messaging/messaging.ts';
import { ensureQueues } from '../../../infra/local/messaging/queueResources.ts';
import { temporaryFolder } from '../../infra/local/processes.ts';
import { useTable } from '../store/testTable.ts';

export const region = 'us-east-1';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Table and queues as real engines without workers, in use by this process. Call it before any service is imported. */
export async function startQueuesAndTable() {
  const folder = await temporaryFolder();
  const [dynamodb, messaging] = await Promise.all([
    startDynamoDb({ dataDir: folder.path }),
    startMessaging({ dataDir: folder.path }),
  ]);
  const sqs = new SQSClient({ endpoint: messaging.endpoint, region, credentials });
  const table = new DynamoDBClient({ endpoint: dynamodb.endpoint, region, credentials });
  const [queues] = await Promise.all([ensureQueues(sqs, 'test'), ensureTable(table, 'test')]);
  useTable(dynamodb.endpoint);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: messaging.endpoint,
    ...queueVariables(Object.values(queues)),
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  return {
    folder: folder.path,
    sqs,
    table,
    queues,
    stop: async () => {
      for (const client of [sqs, table]) client.destroy();
      await Promise.all([messaging.stop(), dynamodb.stop()]);
      await folder.remove();
    },
  };
}
