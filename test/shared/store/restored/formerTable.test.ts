import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let client: DynamoDBDocumentClient;
let pages: typeof import('../../../../shared/store/restored/formerTable.ts').formerPages;

beforeAll(async () => {
  table = await startTestTable();
  const plain = new DynamoDBClient({});
  const { Table } = await plain.send(new DescribeTableCommand({ TableName: 'test' }));
  const keys = Table?.AttributeDefinitions?.filter(({ AttributeName = '' }) => ['pk', 'sk'].includes(AttributeName));
  for (const TableName of ['former', 'salted']) {
    const KeySchema = Table?.KeySchema ?? [];
    await plain.send(
      new CreateTableCommand({
        TableName,
        KeySchema,
        AttributeDefinitions: keys ?? [],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  }
  client = DynamoDBDocumentClient.from(plain);
  ({ formerPages: pages } = await import('../../../../shared/store/restored/formerTable.ts'));
});
afterAll(async () => {
  client.destroy();
  await table.stop();
});

const put = (TableName: string, Item: Record<string, unknown>) => client.send(new PutCommand({ TableName, Item }));
const get = async (pk: string, sk: string) =>
  (await client.send(new GetCommand({ TableName: 'test', Key: { pk, sk }, ConsistentRead: true }))).Item;

async function takeOver(former: string): Promise<number> {
  let added = 0;
  for await (const page of pages(former)) added += page.added;
  return added;
}

describe('what a restored table takes over from the former one', () => {
  it('is a refusal of confirmations in a mailbox that the restored one knows already, and nothing that it has', async () => {
    const mailbox = { pk: 'WS#ws_1#MAILBOX#a', sk: 'MAILBOX' };
    await put('former', { pk: 'SALT', sk: 'SALT', salt: 'grains' });
    await put('former', { ...mailbox, version: 3, unanswered: 0, blocked_at: '2026-11-21T09:00:00.000Z' });
    await put('test', { ...mailbox, version: 1, unanswered: 1 });
    await put('former', { pk: 'WS#ws_1#CLAIM#k', sk: 'CLAIM', status: 'done' });
    await put('former', { pk: 'WS#ws_1', sk: 'WORKSPACE', name: 'Changed since' });
    expect(await takeOver('former')).toBe(1);
    expect(await get(mailbox.pk, mailbox.sk)).toEqual({
      ...mailbox,
      ...{ version: 1, unanswered: 1, blocked_at: '2026-11-21T09:00:00.000Z' },
    });
    expect(await get('SALT', 'SALT')).toMatchObject({ salt: 'grains' });
    expect(await get('WS#ws_1#CLAIM#k', 'CLAIM')).toMatchObject({ status: 'done' });
    expect(await get('WS#ws_1', 'WORKSPACE')).toBeUndefined();
    expect(await takeOver('former')).toBe(0);
  });

  it('is nothing when the two do not recognise the same people', async () => {
    await put('salted', { pk: 'SALT', sk: 'SALT', salt: 'others' });
    await put('salted', { pk: 'WS#ws_1#CLAIM#m', sk: 'CLAIM', status: 'done' });
    await expect(takeOver('salted')).rejects.toThrow('different salts');
    expect(await get('WS#ws_1#CLAIM#m', 'CLAIM')).toBeUndefined();
  });
});
