import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ServiceUnavailable } from '../../platform/aws/outage.ts';
import { currentDeadline, type Deadline, endingWithDeadline, pause, underDeadline } from '../../platform/deadline.ts';
import { inParallel } from '../../platform/parallel.ts';
import { projectionInput } from './expression.ts';
import type { Key } from './keys.ts';
import { type AttributePath, type Consistency, documents, type Item, keyOfItem, tableName } from './table.ts';

export interface BatchGetOptions {
  readonly consistent: boolean;
  /** Only these attributes; all if left out. This saves traffic, not read units. */
  readonly attributes?: readonly AttributePath[];
  /** Another table with the same records; the own one if left out. */
  readonly table?: string;
}

/** DynamoDB's limit. */
const keysOfCall = 100;
/** Our client has 50 connections: more concurrent calls would only wait. */
const readsAtOnce = 24;

/** Reads any number of items in parallel calls; missing ones are left out. */
export async function batchGet(keys: readonly Key[], options: BatchGetOptions): Promise<Item[]> {
  return (await inParallel(readsAtOnce, grouped(keys, keysOfCall), (page) => getSome(page, options))).flat();
}

/** Keys that DynamoDB leaves unprocessed are read again: their items may exist. */
async function getSome(
  page: readonly Key[],
  { consistent, attributes, table = tableName() }: BatchGetOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  const options = { ConsistentRead: consistent, ...(attributes && projectionInput(attributes)) };
  let open: Item[] = [...page];
  for (let round = 0; open.length > 0; round += 1) {
    if (round > 0) await nextRound(round);
    const answer = await documents.send(new BatchGetCommand({ RequestItems: { [table]: { Keys: open, ...options } } }));
    items.push(...(answer.Responses?.[table] ?? []));
    open = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return items;
}

type BatchedWrite = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** DynamoDB's limit. */
const writesOfCall = 25;
const writesAtOnce = 8;

/** Writes any number of items without conditions in parallel calls; no two may have the same key. */
export const putItems = <Stored extends object = never>(items: readonly (Key & NoInfer<Stored>)[]): Promise<void> =>
  batchWrite(items.map((Item) => ({ PutRequest: { Item } })));

/** The same for deletions. */
export const deleteItems = (keys: readonly Key[]): Promise<void> =>
  batchWrite(keys.map((Key) => ({ DeleteRequest: { Key } })));

async function batchWrite(writes: readonly BatchedWrite[]): Promise<void> {
  await inParallel(writesAtOnce, grouped(writes, writesOfCall), writeSome);
}

async function writeSome(writes: readonly BatchedWrite[]): Promise<void> {
  let open = [...writes];
  for (let round = 0; open.length > 0; round += 1) {
    if (round > 0) await nextRound(round);
    const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: open } }));
    open = answer.UnprocessedItems?.[tableName()] ?? [];
  }
}

const maxRounds = 9;

/** When it throttles, DynamoDB leaves a part of a batch unprocessed: pauses before the next round, longer each time. */
async function nextRound(round: number): Promise<void> {
  if (round >= maxRounds)
    throw new ServiceUnavailable(`DynamoDB left some of a batch undone after ${maxRounds} rounds.`);
  await pause(25 * 2 ** round * (0.5 + Math.random()));
}

const grouped = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, page) => entries.slice(page * size, (page + 1) * size));

/** All reads of one consistency that are requested in the same turn of the event loop. */
interface SharedRead {
  /** Distinct keys by name. */
  readonly keys: Map<string, Key>;
  /** The latest deadline among its callers. */
  deadline: Deadline;
  /** Resolves when no further caller can join. */
  readonly isFull: Promise<void>;
  readonly items: Promise<Map<string, Item>>;
}

const sharedReads: Partial<Record<Consistency, SharedRead | undefined>> = {};

/**
 * Items by key, in order, null for missing ones. All requests of the same turn of the event loop share one call: a
 * worker's batch costs one round trip, not ten. Each caller waits until its own deadline.
 */
export async function readTogether(
  keys: readonly Key[],
  consistency: Consistency = 'strong',
): Promise<(Item | null)[]> {
  sharedReads[consistency] ??= openRead(consistency);
  const shared = sharedReads[consistency];
  for (const key of keys) shared.keys.set(nameOfKey(key), key);
  const own = currentDeadline();
  if (own !== shared.deadline && own.remainingMilliseconds() > shared.deadline.remainingMilliseconds())
    shared.deadline = own;
  await shared.isFull;
  const items = await (shared.deadline === own ? shared.items : endingWithDeadline(shared.items));
  return keys.map((key) => items.get(nameOfKey(key)) ?? null);
}

function openRead(consistency: Consistency): SharedRead {
  const keys = new Map<string, Key>();
  const isFull = new Promise<void>((resolve) => setImmediate(resolve));
  const read = async () => {
    const found = await batchGet([...keys.values()], { consistent: consistency === 'strong' });
    return new Map(found.map((item) => [nameOfKey(keyOfItem(item)), item]));
  };
  const items = isFull.then(() => {
    sharedReads[consistency] = undefined;
    return underDeadline(shared.deadline, read);
  });
  const shared: SharedRead = { keys, deadline: currentDeadline(), isFull, items };
  return shared;
}

/** A text that is equal for equal keys. */
export const nameOfKey = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
