import { readFileSync } from 'node:fs';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB holds it. */
export type StoredItem = Record<string, AttributeValue>;

/** A file of test/fixtures/records/. */
export function readRecords<Content = StoredItem[]>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../fixtures/records/${name}`, import.meta.url), 'utf8'));
}

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

export async function itemsOf(partition: string): Promise<StoredItem[]> {
  const client = new DynamoDBClient({});
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'test',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition } },
      ConsistentRead: true,
    }),
  );
  client.destroy();
  return Items;
}

/**
 * What a release that wrote `former` items of a kind misses or would misread in a new one: attributes that all of the
 * former had, and those whose type has changed. Nothing when the release before can be started again after this one.
 */
export function unreadableBefore(former: readonly StoredItem[], item: StoredItem): string[] {
  const names = new Set(former.flatMap((one) => Object.keys(one)));
  return [...names].flatMap((name) => {
    const types = new Set(former.flatMap((one) => Object.keys(one[name] ?? {})));
    const [type] = Object.keys(item[name] ?? {});
    if (type === undefined) return former.every((one) => name in one) ? [`${name} is missing`] : [];
    return types.has(type) ? [] : [`${name} is ${type} and was ${[...types].join(' or ')}`];
  });
}
