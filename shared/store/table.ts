import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { config } from '../platform/config.ts';
import type { Key } from './keys.ts';

/** The one client of the one table. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

export const tableName = (): string => config('TABLE_NAME');

export type Item = Record<string, unknown>;

/** One write of a transaction (100 at most, DynamoDB's limit). */
export type TransactionPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Gets up to any number of items, 100 a call (DynamoDB's limit), calls in parallel; missing ones are left out. */
export async function batchGet(keys: readonly Key[], options: { consistent: boolean }): Promise<Item[]> {
  const pages: Key[][] = [];
  for (let start = 0; start < keys.length; start += 100) pages.push(keys.slice(start, start + 100));
  const found = await Promise.all(pages.map((page) => batchGetPage(page, options.consistent)));
  return found.flat();
}

/** DynamoDB may leave keys unprocessed when throttled; each round waits longer, and a gap is never taken for absence. */
async function batchGetPage(page: Key[], consistent: boolean): Promise<Item[]> {
  const items: Item[] = [];
  let pending: Record<string, unknown>[] = page;
  for (let round = 0; pending.length > 0; round += 1) {
    if (round > 8) throw new Error('DynamoDB left keys unprocessed after 9 rounds.');
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** round * (0.5 + Math.random())));
    const answer = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: pending, ConsistentRead: consistent } } }),
    );
    items.push(...(answer.Responses?.[tableName()] ?? []));
    pending = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** Every item of a query, page after page: only for partitions that are small by design. */
export async function queryAll(input: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> {
  const items: Item[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await documents.send(new QueryCommand({ ...input, TableName: tableName(), ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}
