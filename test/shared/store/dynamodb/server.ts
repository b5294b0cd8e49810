import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import type { ConnectionPolicy } from '../../../../shared/platform/aws/transport.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { DocumentClient } from '../../../../shared/store/dynamodb/client.ts';
import { startProvider } from '../../platform/aws/provider.ts';

/** What a request to DynamoDB asked for. */
interface Heard {
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds of a clock that only goes on. */
  readonly at: number;
}

export type Script = (response: ServerResponse, heard: Heard, request: IncomingMessage) => void;

/** A server that stands for DynamoDB and answers as a test wants, lies included. */
async function startDynamoDbServer() {
  const heard: Heard[] = [];
  let script: Script = (response) => tell(response, {});
  const respond: RequestListener = async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (!body) return;
    const operation = String(request.headers['x-amz-target']).replace(/^DynamoDB_20120810\./, '');
    const { headers } = request;
    heard.push({ operation, input: JSON.parse(body.toString()), headers, at: performance.now() });
    script(response, heard.at(-1) as Heard, request);
  };
  const { endpoint, stop } = await startProvider(respond);
  return {
    endpoint,
    heard,
    stop,
    answerBy: (next: Script) => {
      heard.length = 0;
      script = next;
    },
  };
}

/** An answer of DynamoDB's form. */
export function tell(response: ServerResponse, answer: object, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(JSON.stringify(answer));
}

/** A refusal of DynamoDB's form. */
export const refuse = (response: ServerResponse, name: string, more: object = {}, status = 400) =>
  tell(response, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused.', ...more }, status);

/** Both clients at one server: ours, and the SDK's to compare it with. Made anew for each test, as a quota of retries is a client's own. */
export function useClients(policy: Partial<ConnectionPolicy> = {}) {
  const clients = {} as {
    server: Awaited<ReturnType<typeof startDynamoDbServer>>;
    own: DocumentClient;
    sdk: DynamoDBDocumentClient;
  };
  beforeAll(async () => {
    clients.server = await startDynamoDbServer();
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

export const failureOf = (call: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  call.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );

/** Waits are a random part of something: this part of it. */
export const waitingTheirPart = (part: number) => jest.spyOn(Math, 'random').mockReturnValue(part);
