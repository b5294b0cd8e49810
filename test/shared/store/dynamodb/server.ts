import type { ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import type { ConnectionPolicy } from '../../../../shared/platform/aws/transport.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { DocumentClient } from '../../../../shared/store/dynamodb/client.ts';
import { startJsonServer, tell } from '../../platform/aws/jsonServer.ts';

/** A refusal of DynamoDB's form. */
export const refuse = (response: ServerResponse, name: string, more: object = {}, status = 400) =>
  tell(response, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused.', ...more }, status);

/** Both clients at one server: ours, and the SDK's to compare it with. Made anew for each test, as a quota of retries is a client's own. */
export function useClients(policy: Partial<ConnectionPolicy> = {}) {
  const clients = {} as {
    server: Awaited<ReturnType<typeof startJsonServer>>;
    own: DocumentClient;
    sdk: DynamoDBDocumentClient;
  };
  beforeAll(async () => {
    clients.server = await startJsonServer();
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  });
  afterAll(() => clients.server.stop());
  beforeEach(() => {
    takeSettings({ AWS_ENDPOINT_URL_DYNAMODB: clients.server.endpoint });
    clients.own = new DocumentClient(policy);
    const plain = new DynamoDBClient({ endpoint: clients.server.endpoint, ...connection(policy) });
    clients.sdk = DynamoDBDocumentClient.from(plain);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    clients.own.destroy();
    clients.sdk.destroy();
  });
  return clients;
}

/** An update, which is not the same when it is done twice. */
export const input = {
  TableName: 'test',
  Key: { pk: 'a', sk: 'b' },
  UpdateExpression: 'ADD calls :one',
  ExpressionAttributeValues: { ':one': 1, ':none': undefined },
};
