import { crc32 } from 'node:zlib';
import { UpdateCommand as SdkUpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../../shared/store/dynamodb/commands.ts';
import * as errors from '../../../../shared/store/dynamodb/errors.ts';
import { usePair } from '../../platform/aws/besideSdk.ts';
import { failureOf, type Script, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { input, pair, refuse } from './server.ts';

const clients = usePair(pair);
const update = () => clients.own.send(new UpdateCommand(input));
const updateBySdk = () => clients.sdk.send(new SdkUpdateCommand(input));

describe('a call', () => {
  it('asks as the SDK asks', async () => {
    clients.server.answerBy((response) => tell(response, {}));
    await update();
    await updateBySdk();
    const [own, theirs] = clients.server.heard.map(({ operation, input: asked, headers }) => {
      const { host, 'content-type': type, 'x-amz-target': target, 'content-length': length, authorization } = headers;
      const scope = authorization?.replace(/, (SignedHeaders|Signature)=.*/, '');
      return { operation, asked, host, type, target, length, scope };
    });
    expect(own).toEqual(theirs);
  });

  it('translates items wherever they stand', async () => {
    const item = { pk: 'a', n: 1, body: Uint8Array.of(1, 2), set: new Set(['x']) };
    const attributes = { pk: { S: 'a' }, n: { N: '1' }, body: { B: 'AQI=' }, set: { SS: ['x'] } };
    const key = { pk: { S: 'a' } };
    clients.server.answerBy((response) =>
      tell(response, {
        ...{ Item: attributes, Attributes: attributes, Items: [attributes], LastEvaluatedKey: key, Count: 1 },
        ...{ Responses: { test: [attributes] }, UnprocessedKeys: { test: { Keys: [key], ConsistentRead: true } } },
        UnprocessedItems: { test: [{ PutRequest: { Item: attributes } }, { DeleteRequest: { Key: key } }] },
      }),
    );
    const writes = [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: { pk: 'a' } } }];
    expect(await clients.own.send(new GetCommand({ TableName: 'test', Key: { pk: 'a' } }))).toMatchObject({
      Item: item,
    });
    expect(await update()).toMatchObject({ Attributes: item });
    const query = { TableName: 'test', ExclusiveStartKey: { pk: 'a' } };
    expect(await clients.own.send(new QueryCommand(query))).toMatchObject({
      Items: [item],
      LastEvaluatedKey: { pk: 'a' },
    });
    const reads = { RequestItems: { test: { Keys: [{ pk: 'a' }], ConsistentRead: true } } };
    expect(await clients.own.send(new BatchGetCommand(reads))).toMatchObject({
      Responses: { test: [item] },
      UnprocessedKeys: reads.RequestItems,
    });
    expect(await clients.own.send(new BatchWriteCommand({ RequestItems: { test: writes } }))).toMatchObject({
      UnprocessedItems: { test: writes },
    });
    const values = { ':v': item.n };
    const part = { TableName: 'test', Key: { pk: 'a' }, ExpressionAttributeValues: values, ConditionExpression: 'c' };
    const parts = [
      { Put: { TableName: 'test', Item: item } },
      { Delete: part },
      { ConditionCheck: part },
      { Update: { ...part, UpdateExpression: 'u' } },
    ];
    await clients.own.send(new TransactWriteCommand({ TransactItems: parts, ClientRequestToken: 'token' }));
    const sentPart = { ...part, Key: key, ExpressionAttributeValues: { ':v': { N: '1' } } };
    expect(clients.server.heard.map(({ input: sent }) => sent)).toEqual([
      { TableName: 'test', Key: key },
      { ...input, Key: { pk: { S: 'a' }, sk: { S: 'b' } }, ExpressionAttributeValues: { ':one': { N: '1' } } },
      { TableName: 'test', ExclusiveStartKey: key },
      { RequestItems: { test: { Keys: [key], ConsistentRead: true } } },
      { RequestItems: { test: [{ PutRequest: { Item: attributes } }, { DeleteRequest: { Key: key } }] } },
      {
        ClientRequestToken: 'token',
        TransactItems: [
          { Put: { TableName: 'test', Item: attributes } },
          { Delete: sentPart },
          { ConditionCheck: sentPart },
          { Update: { ...sentPart, UpdateExpression: 'u' } },
        ],
      },
    ]);
  });
});

describe('a refusal', () => {
  it('is known by its class and by its name, with what it says', async () => {
    const stood = { pk: { S: 'a' }, body: { B: 'AQI=' } };
    const item = { pk: 'a', body: Uint8Array.of(1, 2) };
    const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'No.', Item: stood }];
    const refusals = [
      ['ConditionalCheckFailedException', { Item: stood }, { Item: item }],
      ['ConditionalCheckFailedException', {}, { Item: undefined }],
      [
        'TransactionCanceledException',
        { CancellationReasons: reasons },
        { CancellationReasons: [reasons[0], { ...reasons[1], Item: item }] },
      ],
      ['TransactionConflictException', {}, {}],
      ['ValidationException', {}, {}],
      ['ResourceNotFoundException', {}, {}],
      ['ItemCollectionSizeLimitExceededException', {}, {}],
      ['AccessDeniedException', {}, {}],
      ['ExpiredTokenException', {}, {}],
    ] as const;
    for (const [name, told, expected] of refusals) {
      clients.server.answerBy((response) => {
        response.setHeader('x-amzn-RequestId', 'request-1');
        refuse(response, name, told);
      });
      const error = await failureOf(update());
      expect(error).toMatchObject({ name, message: 'Refused.', ...expected });
      expect(error.$metadata).toMatchObject({ httpStatusCode: 400, requestId: 'request-1' });
      expect(error).toBeInstanceOf((errors as Record<string, unknown>)[name] ?? errors.DynamoDbError);
      const theirs = await failureOf(updateBySdk());
      expect(theirs).toMatchObject({ name, $metadata: { httpStatusCode: 400, requestId: 'request-1' } });
      expect(clients.server.heard).toHaveLength(2);
    }
  });

  it('names its kind in any of the places that AWS uses', async () => {
    const places: [object, Record<string, string>][] = [
      [{ __type: 'ThrottledForATest' }, {}],
      [{ code: 'com.amazon#ThrottledForATest:http://example.com/' }, {}],
      [{}, { 'x-amzn-errortype': 'ThrottledForATest:http://example.com/' }],
    ];
    for (const [body, headers] of places) {
      clients.server.answerBy((response) => tell(response, body, 400, headers));
      expect(await failureOf(update())).toMatchObject({ name: 'ThrottledForATest' });
    }
  });

  it.each([
    [{ __type: 'constructor', message: 'No.' }, 'constructor'],
    [{ __type: 'toString' }, 'toString'],
    [{ __type: '__proto__' }, '__proto__'],
    [{ __type: 'com.amazonaws.dynamodb.v20120810#' }, 'DynamoDbError'],
    [{ __type: null, code: 'ValidationException', message: { toString: 1 } }, 'ValidationException'],
    [{ __type: 'ConditionalCheckFailedException', Item: { a: null } }, 'ConditionalCheckFailedException'],
    [{ __type: 'TransactionCanceledException', CancellationReasons: {} }, 'TransactionCanceledException'],
  ])('is an error by its name, and no more, in no form of DynamoDB: %j', async (told, name) => {
    clients.server.answerBy((response) => tell(response, told, 400));
    const error = await failureOf(update());
    expect(error).toMatchObject({ name, message: expect.any(String), $metadata: { httpStatusCode: 400 } });
    expect(error).toBeInstanceOf(Error);
    expect(error.constructor).toBe(errors.DynamoDbError);
  });
});

describe('an answer', () => {
  const whole = JSON.stringify({ Attributes: { calls: { N: '7' } } });
  const answered = (text: string, checksum: number): Script => {
    return (response) => response.writeHead(200, { 'x-amz-crc32': String(checksum) }).end(text);
  };

  it('is taken when its checksum is right', async () => {
    clients.server.answerBy(answered(whole, crc32(whole)));
    expect(await update()).toMatchObject({ Attributes: { calls: 7 } });
  });

  it('is asked for again when its checksum is wrong, and an error in the end', async () => {
    waitingTheirPart(0);
    clients.server.answerBy(answered(whole.replace('7', '8'), crc32(whole)));
    expect(await failureOf(update())).toMatchObject({ name: 'DamagedAnswer' });
    expect(clients.server.heard).toHaveLength(4);
  });

  it('is read whole, however it is cut, and whatever its size', async () => {
    const text = JSON.stringify({ Attributes: { text: { S: 'é€😀'.repeat(30_000) } } });
    clients.server.answerBy((response) => {
      response.writeHead(200, { 'x-amz-crc32': String(crc32(text)) });
      const bytes = Buffer.from(text);
      for (let start = 0; start < bytes.length; start += 7919) response.write(bytes.subarray(start, start + 7919));
      response.end();
    });
    expect(await update()).toMatchObject({ Attributes: { text: 'é€😀'.repeat(30_000) } });
  });

  it.each(['', 'null', '[]', '"text"', '{"Attributes":'])('that is no object is none: %s', async (text) => {
    clients.server.answerBy((response) => response.writeHead(200).end(text));
    expect(await failureOf(clients.own.send(new GetCommand({ TableName: 'test', Key: { pk: 'a' } })))).toMatchObject({
      name: 'GarbledAnswer',
    });
  });
});
