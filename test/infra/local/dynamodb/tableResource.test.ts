import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/dynamodb/dynamodb.ts';
import { ensureTable } from '../../../../infra/local/dynamodb/tableResource.ts';
import type { Engine } from '../../../../infra/local/engine/engine.ts';
import { table } from '../../../../infra/resources.ts';
import { dynamoDbClient } from '../clients.ts';
import { temporaryFolder } from '../processes.ts';

const TableName = 'mailroom';
const newest = { name: 'newest', partitionKey: 'newest_pk', sortKey: 'newest_sk' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let client: DynamoDBClient;

beforeEach(async () => {
  folder = await temporaryFolder();
  engine = await startDynamoDb({ dataDir: folder.path });
  client = dynamoDbClient(engine.endpoint);
});
afterEach(async () => {
  client.destroy();
  await engine.stop();
  await folder.remove();
});

/** A table of an earlier version: without indexes, or with one of another projection. */
async function createOlderTable(index?: { name: string; hash: string; range: string }): Promise<void> {
  const names = ['pk', 'sk', ...(index ? [index.hash, index.range] : [])];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: index && [
        {
          IndexName: index.name,
          KeySchema: [
            { AttributeName: index.hash, KeyType: 'HASH' },
            { AttributeName: index.range, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['something_else'] },
        },
      ],
    }),
  );
}

async function indexNames(): Promise<(string | undefined)[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName).sort();
}

describe('ensureTable', () => {
  it('creates the table with every index and the time to live', async () => {
    await ensureTable(client, TableName);
    expect(await indexNames()).toEqual(table.indexes.map(({ name }) => name).sort());
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires_at', TimeToLiveStatus: 'ENABLED' });
  });

  it('can be called again', async () => {
    await ensureTable(client, TableName);
    await ensureTable(client, TableName);
    expect(await indexNames()).toHaveLength(table.indexes.length);
  });

  it('adds missing indexes to an existing table, with its items', async () => {
    await createOlderTable();
    const { partitionKey, sortKey, name } = newest;
    const Item = { pk: { S: 'a' }, sk: { S: 'b' }, [partitionKey]: { S: 'WS#1' }, [sortKey]: { S: '2026' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    await ensureTable(client, TableName);
    expect(await indexNames()).toHaveLength(table.indexes.length);
    const found = await client.send(
      new QueryCommand({
        TableName,
        IndexName: name,
        KeyConditionExpression: '#key = :key',
        ExpressionAttributeNames: { '#key': partitionKey },
        ExpressionAttributeValues: { ':key': { S: 'WS#1' } },
      }),
    );
    expect(found.Items).toEqual([Item]);
  });

  it('reports that an index cannot be changed', async () => {
    const { name, partitionKey, sortKey } = newest;
    await createOlderTable({ name, hash: partitionKey, range: sortKey });
    await expect(ensureTable(client, TableName)).rejects.toThrow(/The index newest .* another name/);
  });
});
