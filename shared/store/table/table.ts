import { isDeepStrictEqual, promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import {
  type AttributeValue,
  type ConditionalCheckFailedException,
  DynamoDBClient,
  type TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { connection, requiringObjects, supervised } from '../../platform/aws/clients.ts';
import { config } from '../../platform/config.ts';
import { projectionInput } from './expression.ts';
import type { IndexName, Key } from './keys.ts';

// biome-ignore lint/suspicious/noExplicitAny: an item is what was stored; its reader knows its shape
type StoredItem = Record<string, any>;

/** A DynamoDB client for plain objects; undefined attributes are left out. */
export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(requiringObjects(supervised(new DynamoDBClient(connection()))), {
    marshallOptions: { removeUndefinedValues: true },
  });

/** Whether DynamoDB returns these attributes as `stored` after they were written. */
export const isStoredAs = (attributes: object, stored: object): boolean =>
  isDeepStrictEqual(unmarshall(marshall(attributes, { removeUndefinedValues: true })), stored);

/** An item as DynamoDB's JSON, which knows sets from lists, and back. */
export const jsonOfItem = (item: object): object => marshall(item, { removeUndefinedValues: true });
export const itemOfJson = (json: object): StoredItem => unmarshall(json as Record<string, AttributeValue>);

/** The stored item on which a condition failed, if there is one and the command asked for it. */
export const refusingItem = ({ Item }: ConditionalCheckFailedException): StoredItem | undefined => itemOf(Item);

/** Why a part of a transaction was refused; the code is `None` for a part that was not. */
export interface CancellationReason {
  readonly Code?: string | undefined;
  /** The stored item that refused the part, if the command asked for it. */
  readonly Item?: StoredItem | undefined;
}

/** One for each part. */
export const cancellationReasons = ({ CancellationReasons = [] }: TransactionCanceledException): CancellationReason[] =>
  CancellationReasons.map(({ Code, Item }) => ({ Code, Item: itemOf(Item) }));

/** The document client does not convert the items of errors. */
const itemOf = (attributes: Record<string, AttributeValue> | undefined): StoredItem | undefined =>
  attributes && unmarshall(attributes);

/** The client of the one table. */
export const documents = documentClient();

export const tableName = (): string => config('TABLE_NAME');

/** A stored item of any record. */
export type Item = Record<string, unknown>;

export const keyOfItem = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

/** One write of a transaction, or a condition. DynamoDB's limit is 100 parts. */
export type TransactionPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The name of an attribute, or the path of one inside it: `['fields', 'city']`. */
export type AttributePath = readonly string[];

/** A strong read returns every completed write. An eventual one may be a moment old, at half the price. */
export type Consistency = 'strong' | 'eventual';

/** One item; null when there is none. */
export async function getItem(key: Key, consistency: Consistency = 'strong'): Promise<Item | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: consistency === 'strong' }),
  );
  return Item ?? null;
}

/** Items of one partition of the table, or of one of its indexes, which are always eventually consistent. */
export interface Query {
  readonly partition: string;
  readonly index?: IndexName | undefined;
  /** The whole partition if left out; both ends of a range are included. */
  readonly sort?:
    | { readonly prefix: string }
    | { readonly from: string; readonly to: string }
    | { readonly below: string }
    | { readonly upTo: string }
    | { readonly above: string };
  readonly consistency?: Consistency;
  readonly order?: 'ascending' | 'descending';
  readonly limit?: number;
  /** Where an earlier page ended. */
  readonly after?: Item | undefined;
  readonly attributes?: readonly AttributePath[];
  /** Returns only the number of items. */
  readonly isCount?: boolean;
  /** Another table with the same records; the own one if left out. */
  readonly table?: string;
}

export interface QueriedPage {
  readonly items: Item[];
  readonly count: number;
  /** Where the next page begins; undefined on the last one. */
  readonly last: Item | undefined;
}

/** One page, at most 1 MB of items (DynamoDB's limit). */
export async function queryPage(query: Query): Promise<QueriedPage> {
  const { Items = [], Count = 0, LastEvaluatedKey } = await documents.send(new QueryCommand(inputOf(query)));
  return { items: Items, count: Count, last: LastEvaluatedKey };
}

/** The items of one page. */
export const queryItems = async (query: Query): Promise<Item[]> => (await queryPage(query)).items;

/** Page after page. */
export async function* queryPages(query: Query): AsyncGenerator<QueriedPage> {
  let after = query.after;
  do {
    const page = await queryPage({ ...query, after });
    yield page;
    after = page.last;
  } while (after);
}

/** Every item of a query: only for partitions that are small by design. */
export async function queryAll(query: Query): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages(query)) items.push(...page.items);
  return items;
}

/** The first `limit` items of each of several partitions of an index, queried in parallel. */
export async function queryEach(partitions: readonly string[], query: Omit<Query, 'partition'>): Promise<Item[]> {
  return (await Promise.all(partitions.map((partition) => queryItems({ ...query, partition })))).flat();
}

/**
 * A page of positions of an index, `<time>#<id or address>`, newest first; `next` is the last one if there are more.
 */
export async function newestPositions(
  index: IndexName,
  partition: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly positions: string[]; readonly next: string | null }> {
  const items = await queryItems({
    ...{ index, partition, order: 'descending', limit: limit + 1 },
    ...(after !== undefined && { sort: { below: after } }),
  });
  const read = items.map((item) => String(item[`${index}_sk`]));
  const positions = read.slice(0, limit);
  return { positions, next: read.length > limit ? (positions.at(-1) ?? null) : null };
}

/** Where an entry is in a list by time. An `after` may name an entry by its address, which never has this form. */
export const positionAt = (time: string, id: string): string => `${time}#${id}`;
export const isPosition = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#/.test(text);

/** The part of a position after the time. */
export const idOfPosition = (position: string): string => position.slice(position.indexOf('#') + 1);

function inputOf(query: Query): QueryCommandInput {
  const { partition, index, sort, consistency = 'eventual', order, limit, after, attributes, isCount } = query;
  const name = index ? `${index}_` : '';
  const projection = attributes && projectionInput(attributes);
  const range = sort ? rangeOf(sort) : null;
  return {
    TableName: query.table ?? tableName(),
    ...(index ? { IndexName: index } : { ConsistentRead: consistency === 'strong' }),
    ...projection,
    KeyConditionExpression: range ? `#pk = :pk AND ${range.condition}` : '#pk = :pk',
    ExpressionAttributeNames: {
      ...projection?.ExpressionAttributeNames,
      '#pk': `${name}pk`,
      ...(range && { '#sk': `${name}sk` }),
    },
    ExpressionAttributeValues: { ':pk': partition, ...range?.values },
    ...(order === 'descending' && { ScanIndexForward: false }),
    ...(limit !== undefined && { Limit: limit }),
    ...(after && { ExclusiveStartKey: after }),
    ...(isCount && { Select: 'COUNT' }),
  };
}

function rangeOf(sort: NonNullable<Query['sort']>): { condition: string; values: Record<string, string> } {
  if ('prefix' in sort) return { condition: 'begins_with(#sk, :prefix)', values: { ':prefix': sort.prefix } };
  if ('from' in sort) {
    return { condition: '#sk BETWEEN :from AND :to', values: { ':from': sort.from, ':to': sort.to } };
  }
  if ('below' in sort) return { condition: '#sk < :bound', values: { ':bound': sort.below } };
  if ('above' in sort) return { condition: '#sk > :bound', values: { ':bound': sort.above } };
  return { condition: '#sk <= :bound', values: { ':bound': sort.upTo } };
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A value as compressed JSON. Fast rather than small: a million addresses are compressed within one call. */
export const pack = (value: unknown): Promise<Buffer> =>
  compress(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

export async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await decompress(bytes)).toString('utf8')) as T;
}
