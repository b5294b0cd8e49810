import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { isAfterLostAnswer } from '../../../../shared/platform/aws/clients.ts';
import { cancellationReasons, documents, refusingItem } from '../../../../shared/store/table/table.ts';
import { failureOf, type Script, startJsonServer, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { useTable } from '../testTable.ts';

let server: Awaited<ReturnType<typeof startJsonServer>>;
beforeAll(async () => {
  server = await startJsonServer();
  useTable(server.endpoint);
});
afterAll(() => server.stop());
afterEach(() => jest.restoreAllMocks());

const Key = { pk: 'a', sk: 'b' };
/** It is not the same when it is done twice. */
const counting = () =>
  new UpdateCommand({
    TableName: 'test',
    Key,
    UpdateExpression: 'ADD calls :one',
    ExpressionAttributeValues: { ':one': 1, ':none': undefined },
  });
const refused =
  (name: string, more: object = {}, status = 400): Script =>
  (response) =>
    tell(response, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused.', ...more }, status);

describe('an item', () => {
  const item = { pk: 'a', n: 1, large: 2n ** 60n, body: Uint8Array.of(1, 2), set: new Set(['x']), list: [null, true] };
  const attributes = {
    pk: { S: 'a' },
    n: { N: '1' },
    large: { N: '1152921504606846976' },
    body: { B: 'AQI=' },
    set: { SS: ['x'] },
    list: { L: [{ NULL: true }, { BOOL: true }] },
  };

  it('is written as DynamoDB has it, without what is undefined', async () => {
    server.answerBy((response) => tell(response, {}));
    await documents.send(new PutCommand({ TableName: 'test', Item: { ...item, gone: undefined } }));
    await documents.send(counting());
    expect(server.heard.map(({ operation, input }) => ({ operation, input }))).toMatchObject([
      { operation: 'PutItem', input: { Item: attributes } },
      { operation: 'UpdateItem', input: { Key: { pk: { S: 'a' }, sk: { S: 'b' } } } },
    ]);
    expect(server.heard[0]?.input.Item).toEqual(attributes);
    expect(server.heard[1]?.input.ExpressionAttributeValues).toEqual({ ':one': { N: '1' } });
  });

  it('is read as it was written', async () => {
    server.answerBy((response) => tell(response, { Item: attributes }));
    expect((await documents.send(new GetCommand({ TableName: 'test', Key }))).Item).toEqual(item);
  });

  it('keeps a name of the caller that is a word of JavaScript', async () => {
    const fields = new Map(Object.entries({ constructor: 'b', toString: 'c', valueOf: 'd' }));
    server.answerBy((response, { input }) => tell(response, { Item: input.Item ?? {} }));
    await documents.send(new PutCommand({ TableName: 'test', Item: { ...Key, fields } }));
    const kept = server.heard[0]?.input.Item as object;
    server.answerBy((response) => tell(response, { Item: kept }));
    const { Item } = await documents.send(new GetCommand({ TableName: 'test', Key }));
    expect(Object.entries(Item?.fields ?? {})).toEqual([...fields]);
  });

  it.each([Number.NaN, Infinity, 2 ** 53, new Date(0), new Set()])(
    'is not written with what DynamoDB cannot keep as it is: %s',
    async (value) => {
      server.answerBy((response) => tell(response, {}));
      await failureOf(documents.send(new PutCommand({ TableName: 'test', Item: { ...Key, list: [{ value }] } })));
      expect(server.heard).toHaveLength(0);
    },
  );
});

describe('a refusal', () => {
  const stored = { pk: { S: 'a' }, body: { B: 'AQI=' } };
  const item = { pk: 'a', body: Uint8Array.of(1, 2) };

  it('of a condition returns the stored item', async () => {
    server.answerBy(refused('ConditionalCheckFailedException', { Item: stored }));
    const error = await failureOf(documents.send(counting()));
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(refusingItem(error as unknown as ConditionalCheckFailedException)).toEqual(item);
    server.answerBy(refused('ConditionalCheckFailedException'));
    const bare = await failureOf(documents.send(counting()));
    expect(refusingItem(bare as unknown as ConditionalCheckFailedException)).toBeUndefined();
  });

  it('of a transaction returns it for each part', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'No.', Item: stored }];
    server.answerBy(refused('TransactionCanceledException', { CancellationReasons }));
    const parts = [{ Delete: { TableName: 'test', Key } }];
    const error = await failureOf(documents.send(new TransactWriteCommand({ TransactItems: parts })));
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(cancellationReasons(error as unknown as TransactionCanceledException)).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: item },
    ]);
  });

  const conflict = refused('ConditionalCheckFailedException');
  const broken: Script = (_response, _heard, request) => request.socket.destroy();

  it('of a condition after an answer that was lost may be the call’s own doing', async () => {
    waitingTheirPart(0);
    server.answerBy((...asked) => (server.heard.length === 1 ? broken : conflict)(...asked));
    const error = await failureOf(documents.send(counting()));
    expect([server.heard.length, isAfterLostAnswer(error)]).toEqual([2, true]);
    server.answerBy(conflict);
    expect(isAfterLostAnswer(await failureOf(documents.send(counting())))).toBe(false);
  });

  it('may be so too when the same command was sent once more after a conflict', async () => {
    waitingTheirPart(0);
    const scripts = [broken, refused('TransactionConflictException'), conflict];
    server.answerBy((...asked) => (scripts[server.heard.length - 1] ?? conflict)(...asked));
    const command = counting();
    expect(await failureOf(documents.send(command))).toBeInstanceOf(TransactionConflictException);
    expect(isAfterLostAnswer(await failureOf(documents.send(command)))).toBe(true);
  });
});

it('an answer that is empty is an error, and no item that is missing', async () => {
  server.answerBy((response) => response.writeHead(200).end());
  const error = await failureOf(documents.send(new GetCommand({ TableName: 'test', Key })));
  expect(error).toMatchObject({ name: 'GarbledAnswer' });
});
