import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/dynamodb/dynamodb.ts';
import { ensureTable } from '../../../../infra/local/dynamodb/tableResource.ts';
import { closeServer, listenLocally } from '../../../../infra/local/engine/engine.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';

/**
 * What a write of ours meets: nothing, an answer of DynamoDB's instead of its own, or its own answer lost on the way,
 * `after` something else has happened, if need be; a batch, that all of it is left unwritten.
 */
type Refusal = { readonly error: string; readonly reasons?: readonly string[] };
type Interference =
  | Refusal
  | 'answer lost'
  | { readonly lost: { readonly after: () => Promise<unknown> } }
  | 'left unwritten'
  | 'nothing';

/**
 * The local engine behind an endpoint that speaks DynamoDB's protocol and answers for other writers: an engine of one
 * machine alone never conflicts. The first writes meet what is queued in `interferences`; all others pass.
 */
export async function startInterferingTable() {
  const folder = await temporaryFolder();
  const engine = await startDynamoDb({ dataDir: folder.path });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const direct = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
  await ensureTable(direct, 'test');
  const interferences: Interference[] = [];
  const tokens: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const target = String(request.headers['x-amz-target']);
    const isWrite = /\.(Put|Update|Delete|TransactWrite|BatchWrite)Items?$/.test(target);
    if (isWrite) tokens.push(JSON.parse(body.toString()).ClientRequestToken);
    const interference = isWrite ? interferences.shift() : undefined;
    if (typeof interference === 'object' && 'error' in interference) {
      return void response.writeHead(400, jsonType).end(refusal(interference));
    }
    if (interference === 'left unwritten') {
      const { RequestItems: UnprocessedItems } = JSON.parse(body.toString());
      return void response.writeHead(200, jsonType).end(JSON.stringify({ UnprocessedItems }));
    }
    const answer = await fetch(engine.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        ...authorisation(request.headers),
      },
      body,
    });
    const text = await answer.text();
    if (typeof interference === 'object') await interference.lost.after();
    if (interference === 'answer lost' || typeof interference === 'object') request.socket.destroy();
    else response.writeHead(answer.status, jsonType).end(text);
  });
  const endpoint = await listenLocally(server);
  return {
    endpoint,
    interferences,
    /** `ClientRequestToken` of each write that arrived; undefined of those that were no transaction. */
    tokens,
    stop: async () => {
      direct.destroy();
      await closeServer(server);
      await engine.stop();
      await folder.remove();
    },
  };
}

const jsonType = { 'content-type': 'application/x-amz-json-1.0' };

function authorisation(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return { authorization: String(headers.authorization), 'x-amz-date': String(headers['x-amz-date']) };
}

function refusal({ error, reasons }: Refusal): string {
  return JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${error}`,
    message: 'Refused for a test.',
    ...(reasons && { CancellationReasons: reasons.map((Code) => ({ Code })) }),
  });
}
