import { config } from '../../platform/config.ts';
import { inParallel } from '../../platform/parallel.ts';
import { DocumentClient } from '../dynamodb/client.ts';
import {
  BatchGetCommand,
  DeleteCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteCommandInput,
} from '../dynamodb/commands.ts';
import type { Key } from './keys.ts';
import { nextRound } from './nextRound.ts';

/** The one client of the one table. */
export const documents = new DocumentClient();

export const tableName = (): string => config('TABLE_NAME');

export type Item = Record<string, unknown>;

/** One write of a transaction (100 at most, DynamoDB's limit). */
export type TransactionPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The name of an attribute, or of what is inside one: `['fields', 'city']`. */
export type AttributePath = readonly string[];

export interface BatchGetOptions {
  readonly consistent: boolean;
  /** Only these attributes; all when left out. It saves what travels, not read units. */
  readonly attributes?: readonly AttributePath[];
}

/** A batch read takes 100 keys, and a client of ours has 50 connections: more at once would only wait. */
const keysOfCall = 100;
const callsAtOnce = 24;

/** Gets up to any number of items, in calls side by side; missing ones are left out. */
export async function batchGet(keys: readonly Key[], options: BatchGetOptions): Promise<Item[]> {
  const pages: Key[][] = [];
  for (let start = 0; start < keys.length; start += keysOfCall) pages.push(keys.slice(start, start + keysOfCall));
  return (await inParallel(callsAtOnce, pages, (page) => batchGetPage(page, options))).flat();
}

/** A key that DynamoDB leaves unprocessed is never taken for that of an item that does not exist. */
async function batchGetPage(page: Key[], { consistent, attributes }: BatchGetOptions): Promise<Item[]> {
  const items: Item[] = [];
  const wanted = { ConsistentRead: consistent, ...(attributes && projectionOf(attributes)) };
  let pending: Record<string, unknown>[] = page;
  for (let round = 0; pending.length > 0; round += 1) {
    if (round > 0) await nextRound(round);
    const answer = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: pending, ...wanted } } }),
    );
    items.push(...(answer.Responses?.[tableName()] ?? []));
    pending = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** Reads only these, none of which may hold another. Each name through a placeholder: some are words that expressions reserve. */
export function projectionOf(paths: readonly AttributePath[]) {
  const names = [...new Set(paths.flat())];
  const placeholders = new Map(names.map((name, index) => [name, `#a${index}`]));
  return {
    ProjectionExpression: paths.map((path) => path.map((name) => placeholders.get(name)).join('.')).join(', '),
    ExpressionAttributeNames: Object.fromEntries([...placeholders].map(([name, placeholder]) => [placeholder, name])),
  };
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

/** Deletes an item; false when there was none. */
export async function deleteExisting(key: Key): Promise<boolean> {
  const { Attributes } = await documents.send(
    new DeleteCommand({ TableName: tableName(), Key: key, ReturnValues: 'ALL_OLD' }),
  );
  return Attributes !== undefined;
}
