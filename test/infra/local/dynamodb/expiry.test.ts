import { type AttributeValue, BatchWriteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/dynamodb/dynamodb.ts';
import { sweepExpired } from '../../../../infra/local/dynamodb/expiry.ts';
import { ensureTable } from '../../../../infra/local/dynamodb/tableResource.ts';
import type { Engine } from '../../../../infra/local/engine/engine.ts';
import { dynamoDbClient } from '../clients.ts';
import { temporaryFolder } from '../processes.ts';

const tableName = 'mailroom';
const nowSeconds = 1_800_000_000;
const now = () => nowSeconds * 1000;
const year = 365 * 24 * 3600;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let dynamodb: DynamoDBClient;

beforeEach(async () => {
  folder = await temporaryFolder();
  engine = await startDynamoDb({ dataDir: folder.path });
  dynamodb = dynamoDbClient(engine.endpoint);
  await ensureTable(dynamodb, tableName);
});
afterEach(async () => {
  dynamodb.destroy();
  await engine.stop();
  await folder.remove();
});

async function put(items: Record<string, AttributeValue | undefined>): Promise<void> {
  const entries = Object.entries(items);
  for (let start = 0; start < entries.length; start += 25) {
    const requests = entries.slice(start, start + 25).map(([sk, expiresAt]) => ({
      PutRequest: { Item: { pk: { S: 'p' }, sk: { S: sk }, ...(expiresAt && { expires_at: expiresAt }) } },
    }));
    await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
}

async function left(): Promise<(string | undefined)[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ sk }) => sk?.S).sort();
}

describe('sweepExpired', () => {
  it('deletes expired items and nothing else', async () => {
    await put({
      'expired a second ago': { N: String(nowSeconds - 1) },
      'expires in a second': { N: String(nowSeconds + 1) },
      'expires now': { N: String(nowSeconds) },
      'has no time': undefined,
      'has a null time': { NULL: true },
      'has a time in words': { S: '1' },
      'has a time of long ago, a mistake': { N: String(nowSeconds - 6 * year) },
      'has the time 0': { N: '0' },
    });
    expect(await sweepExpired({ dynamodb, tableName, now })).toBe(2);
    expect(await left()).toEqual([
      'expires in a second',
      'has a null time',
      'has a time in words',
      'has a time of long ago, a mistake',
      'has no time',
      'has the time 0',
    ]);
  });

  it('reads all pages of a larger table', async () => {
    const expired = Object.fromEntries(
      Array.from({ length: 280 }, (_, index) => [`item ${index}`, { N: String(nowSeconds - (index % 2 ? 1 : -1)) }]),
    );
    await put(expired);
    expect(await sweepExpired({ dynamodb, tableName, now })).toBe(140);
    expect(await left()).toHaveLength(140);
    expect(await sweepExpired({ dynamodb, tableName, now })).toBe(0);
  });
});
