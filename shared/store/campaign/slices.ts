import type { Attempt, Slice } from '../../domain/campaign/attempt.ts';
import { type SetName, type SliceSets, slicesOfChunk } from '../../domain/campaign/slice.ts';
import { QueryCommand, type QueryCommandInput, UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { damageUpdate } from '../sending/days.ts';
import { campaignShardPartition, sliceKey } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended, transact } from '../table/transaction.ts';

/** Where a slice lies. */
export interface SlicePosition {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly chunk: number;
  readonly slice: number;
}

/**
 * The slices of a chunk: one query. What was never touched is there, and empty. As they stand, strongly consistent; at half
 * the price when they may be a moment old.
 */
export async function readSlices(
  position: Omit<SlicePosition, 'slice'>,
  { consistent }: { readonly consistent: boolean } = { consistent: true },
): Promise<Slice[]> {
  const { workspaceId, campaignId, chunk } = position;
  const first = sliceKey(workspaceId, campaignId, chunk, 0);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': first.pk, ':prefix': first.sk.slice(0, -1) },
      ConsistentRead: consistent,
    }),
  );
  const found = new Map(Items.map((item) => [Number(String(item.sk).split('#')[2]), sliceOf(item)]));
  return Array.from({ length: slicesOfChunk }, (_, slice) => found.get(slice) ?? untouched);
}

/** One slice, strongly consistent. */
export async function getSlice({ workspaceId, campaignId, chunk, slice }: SlicePosition): Promise<Slice> {
  const [item] = await readTogether([sliceKey(workspaceId, campaignId, chunk, slice)]);
  return item ? sliceOf(item) : untouched;
}

/**
 * Notes a bounce or a complaint of somebody and counts it on its day, in one transaction: they decide over suspension,
 * so each counts once, however often it is reported.
 */
export async function addDamage(
  place: SlicePosition,
  position: number,
  type: 'bounced' | 'complained',
  day: string,
): Promise<void> {
  await transact([
    {
      Update: {
        TableName: tableName(),
        Key: sliceKey(place.workspaceId, place.campaignId, place.chunk, place.slice),
        UpdateExpression: 'ADD #set :positions',
        ConditionExpression: 'attribute_not_exists(#set) OR NOT contains(#set, :position)',
        ExpressionAttributeNames: { '#set': `${countedPrefix}${type}` },
        ExpressionAttributeValues: { ':positions': new Set([position]), ':position': position },
      },
    },
    { Update: damageUpdate(place.workspaceId, day, { [type]: 1 }) },
  ]);
}

const untouched: Slice = { turn: 0, sets: {}, attempts: [], heard: new Set(), marks: new Set() };

/**
 * Takes positions for an attempt, and notes who is skipped, if nobody has done either since the slice was read (`turn`).
 * Null when somebody has: read again.
 */
export async function claimPositions(
  position: SlicePosition,
  turn: number,
  claim: { readonly attempt: Attempt | null; readonly skipped: SliceSets; readonly expiresAt: number },
): Promise<Slice | null> {
  const { attempt, skipped, expiresAt } = claim;
  const expression = new Expression();
  const set = [
    `turn = ${expression.value(turn + 1)}`,
    `expires_at = ${expression.value(expiresAt)}`,
    ...(attempt ? [`${expression.name(attemptName(attempt.id))} = ${expression.value(itemOfAttempt(attempt))}`] : []),
  ];
  const condition = turn === 0 ? 'attribute_not_exists(turn)' : `turn = ${expression.value(turn)}`;
  return update(position, expression, { set, sets: skipped, condition });
}

/** What a call said of its positions; answers the slice as it was before. */
export async function recordAttempt(
  position: SlicePosition,
  attemptId: string | null,
  sets: SliceSets,
  marks: ReadonlySet<number> = new Set(),
): Promise<Slice | null> {
  const expression = new Expression();
  const remove = attemptId === null ? [] : [expression.name(attemptName(attemptId))];
  return update(position, expression, { remove, sets, marks });
}

/**
 * Adds what feedback said; answers the slice as it was before. `heard` names the attempts that are proven to have run.
 */
export async function addToSlice(
  position: SlicePosition,
  added: {
    readonly sets: SliceSets;
    readonly heard: ReadonlySet<string>;
    readonly marks?: ReadonlySet<number>;
    readonly expiresAt: number;
  },
): Promise<Slice | null> {
  const expression = new Expression();
  const set = [`expires_at = if_not_exists(expires_at, ${expression.value(added.expiresAt)})`];
  const { sets, heard, marks } = added;
  return update(position, expression, { set, sets, heard, ...(marks && { marks }) });
}

/**
 * Takes back a doubt: what this attempt claimed was certainly not taken, and may be tried again. Null when overtaken, by
 * a claim or by an event that names the attempt after all.
 */
export async function clearDoubt(position: SlicePosition, turn: number, attempt: Attempt): Promise<Slice | null> {
  const expression = new Expression();
  return update(position, expression, {
    set: [`turn = ${expression.value(turn + 1)}`],
    remove: [expression.name(attemptName(attempt.id))],
    delete: [`${expression.name(setName('uncertain'))} ${expression.value(new Set(attempt.positions))}`],
    condition: `turn = ${expression.value(turn)} AND NOT contains(heard, ${expression.value(attempt.id)})`,
  });
}

interface TouchedSlice extends SlicePosition {
  readonly state: Slice;
  /** Unix milliseconds of its last change. */
  readonly changedAt: number;
}

/** Every slice of a shard that was ever touched, a page of 1 MB at a time; at half the price when it may be a moment old. */
export async function* slicePages(
  workspaceId: string,
  campaignId: string,
  shard: number,
  { consistent }: { readonly consistent: boolean } = { consistent: true },
): AsyncGenerator<TouchedSlice[]> {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': campaignShardPartition(workspaceId, campaignId, shard),
          ':prefix': 'SLICE#',
        },
        ConsistentRead: consistent,
        ExclusiveStartKey: start,
      }),
    );
    yield Items.map((item) => {
      const [, chunk, slice] = String(item.sk).split('#');
      const place = { workspaceId, campaignId, chunk: Number(chunk), slice: Number(slice) };
      return { ...place, state: sliceOf(item), changedAt: Number(item.changed_at ?? 0) };
    });
    start = LastEvaluatedKey;
  } while (start);
}

interface Update {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly delete?: readonly string[];
  readonly sets?: SliceSets;
  readonly heard?: ReadonlySet<string>;
  readonly marks?: ReadonlySet<number>;
  readonly condition?: string;
}

async function update(position: SlicePosition, expression: Expression, change: Update): Promise<Slice | null> {
  // DynamoDB has no empty sets.
  const sets = Object.entries(change.sets ?? {}).filter(([, positions]) => positions && positions.size > 0);
  const add = sets.map(
    ([name, positions]) => `${expression.name(setName(name as SetName))} ${expression.value(new Set(positions))}`,
  );
  if (change.heard && change.heard.size > 0) add.push(`heard ${expression.value(new Set(change.heard))}`);
  if (change.marks && change.marks.size > 0) add.push(`marks ${expression.value(new Set(change.marks))}`);
  const set = [...(change.set ?? []), `changed_at = ${expression.value(Date.now())}`];
  const clauses = { SET: set, REMOVE: change.remove, DELETE: change.delete, ADD: add };
  const text = Object.entries(clauses).flatMap(([verb, parts = []]) =>
    parts.length > 0 ? [`${verb} ${parts.join(', ')}`] : [],
  );
  const { workspaceId, campaignId, chunk, slice } = position;
  try {
    const { Attributes } = await contended(() =>
      documents.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: sliceKey(workspaceId, campaignId, chunk, slice),
          UpdateExpression: text.join(' '),
          ...(change.condition && { ConditionExpression: change.condition }),
          ...expression.attributes(),
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return Attributes ? sliceOf(Attributes) : untouched;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}

/** Gathers the placeholders of an expression: names of sets hold dots, and labels anything. */
class Expression {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};

  name(text: string): string {
    const placeholder = `#n${Object.keys(this.#names).length}`;
    this.#names[placeholder] = text;
    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  attributes() {
    const isGiven = (record: object) => Object.keys(record).length > 0;
    return {
      ...(isGiven(this.#names) && { ExpressionAttributeNames: this.#names }),
      ...(isGiven(this.#values) && { ExpressionAttributeValues: this.#values }),
    };
  }
}

const setPrefix = 's#';
/** What was counted on a day; apart from the sets, which feedback writes after its effects. */
const countedPrefix = 'counted#';
const attemptPrefix = 'a#';
const setName = (name: SetName): string => setPrefix + name;
const attemptName = (id: string): string => attemptPrefix + id;

const itemOfAttempt = ({ positions, deadline }: Attempt): Item => ({
  positions: new Set(positions),
  deadline: deadline.toISOString(),
});

function sliceOf(item: Item): Slice {
  const entries = Object.entries(item);
  const sets = entries
    .filter(([name]) => name.startsWith(setPrefix))
    .map(([name, positions]) => [name.slice(setPrefix.length), positions as Set<number>]);
  const attempts = entries
    .filter(([name]) => name.startsWith(attemptPrefix))
    .map(([name, value]): Attempt => {
      const { positions, deadline } = value as { positions: Set<number>; deadline: string };
      return { id: name.slice(attemptPrefix.length), positions, deadline: new Date(deadline) };
    });
  return {
    turn: Number(item.turn ?? 0),
    sets: Object.fromEntries(sets) as SliceSets,
    attempts,
    heard: (item.heard as Set<string> | undefined) ?? new Set(),
    marks: (item.marks as Set<number> | undefined) ?? new Set(),
  };
}
