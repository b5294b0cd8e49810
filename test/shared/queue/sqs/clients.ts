import type { ServerResponse } from 'node:http';
import { SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import type { ConnectionPolicy } from '../../../../shared/platform/aws/transport.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { SqsClient } from '../../../../shared/queue/sqs/client.ts';
import { startJsonServer, tell } from '../../platform/aws/jsonServer.ts';

/** A refusal of SQS's form; the code of the older protocol stands in a header. */
export const refuse = (response: ServerResponse, shape: string, code?: string, status = 400) =>
  tell(
    response,
    { __type: `com.amazonaws.sqs#${shape}`, message: 'Refused.' },
    status,
    code === undefined ? {} : { 'x-amzn-query-error': `${code};Sender` },
  );

/** Both clients at one server: ours, and the SDK's to compare it with. Made anew for each test, as a quota of retries is a client's own. */
export function useClients(policy: Partial<ConnectionPolicy> = {}) {
  const clients = {} as { server: Awaited<ReturnType<typeof startJsonServer>>; own: SqsClient; sdk: SQSClient };
  beforeAll(async () => {
    clients.server = await startJsonServer();
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  });
  afterAll(() => clients.server.stop());
  beforeEach(() => {
    takeSettings({ AWS_ENDPOINT_URL_SQS: clients.server.endpoint });
    clients.own = new SqsClient(policy);
    clients.sdk = new SQSClient({ endpoint: clients.server.endpoint, ...connection(policy) });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    clients.own.destroy();
    clients.sdk.destroy();
  });
  return clients;
}

export const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test';
