import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB holds it. */
export type StoredItem = Record<string, AttributeValue>;

/** Leaves the table `test` with these items and no others. */
export async function fillTable(items: readonly StoredItem[]): Promise<void> {
  const client = new DynamoDBClient({});
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'test', ConsistentRead: true }));
  const requests: WriteRequest[] = [
    ...Items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as StoredItem } })),
    ...items.map((Item) => ({ PutRequest: { Item } })),
  ];
  const positions = new Map(requests.map((request) => [nameOf(request), request]));
  const unique = [...positions.values()];
  for (let start = 0; start < unique.length; start += 25) {
    await client.send(new BatchWriteItemCommand({ RequestItems: { test: unique.slice(start, start + 25) } }));
  }
  client.destroy();
}

/** A batch may name an item once: a put replaces what stands, so the later one counts. */
function nameOf({ DeleteRequest, PutRequest }: WriteRequest): string {
  const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
  return `${pk?.S}\n${sk?.S}`;
}

/** Everything that the table `test` holds. */
export async function storedItems(): Promise<StoredItem[]> {
  const client = new DynamoDBClient({});
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'test', ConsistentRead: true }));
  client.destroy();
  return Items;
}
