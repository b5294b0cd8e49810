import { randomBytes } from 'node:crypto';
import { ServiceUnavailable } from '../../platform/aws/outage.ts';
import { type Change, type Conditions, changeInput, conditionInput, pairsOf } from './expression.ts';
import type { Key } from './keys.ts';
import { type Item, isStoredAs, type TransactionPart, tableName } from './table.ts';
import { type Returning, sendDelete, sendPut, sendUpdate, type WriteOutcome } from './transaction.ts';

/**
 * The only functions that write to the table. Each takes the type of the stored record (`never` by default, so that no
 * call compiles without it) and checks every attribute's name and value against it. The client repeats a write whose
 * answer was lost, and a condition may then refuse the repetition because of the first try. So a refused repetition
 * counts as made when the stored item is as the write leaves it. The same write by another process looks the same:
 * where only one of two may succeed, a write has a marker of its own (`changeItemOnce`).
 */

const putInput = <Stored extends object>(key: Key, record: Stored, conditions: Conditions<Stored>) => ({
  TableName: tableName(),
  Item: { ...key, ...record },
  ...conditionInput(conditions),
});

const updateInput = <Stored extends object>(key: Key, change: Change<Stored>) => ({
  TableName: tableName(),
  Key: key,
  UpdateExpression: undefined,
  ...changeInput(change),
});

const deleteInput = <Stored extends object>(key: Key, conditions: Conditions<Stored>) => ({
  TableName: tableName(),
  Key: key,
  ...conditionInput(conditions),
});

/** Writes a whole record, replacing any stored one: a part of a transaction. */
export const putPart = <Stored extends object = never>(
  key: Key,
  record: NoInfer<Stored>,
  conditions: Conditions<NoInfer<Stored>> = {},
): TransactionPart => ({ Put: putInput<Stored>(key, record, conditions) });

/**
 * Changes a record, or creates it unless a condition prevents that: a part of a transaction. `returnStored`: a refusal
 * returns the stored item.
 */
export const changePart = <Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
  { returnStored = false }: { readonly returnStored?: boolean } = {},
): TransactionPart => ({
  Update: {
    ...updateInput<Stored>(key, change),
    ...(returnStored && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  },
});

/** Deletes a record: a part of a transaction. */
export const deletePart = <Stored extends object = never>(
  key: Key,
  conditions: Conditions<NoInfer<Stored>> = {},
): TransactionPart => ({ Delete: deleteInput<Stored>(key, conditions) });

/** Requires a condition of a record that the transaction does not write. */
export const checkPart = <Stored extends object = never>(
  key: Key,
  conditions: Conditions<NoInfer<Stored>>,
): TransactionPart => ({
  ConditionCheck: { TableName: tableName(), Key: key, ConditionExpression: '', ...conditionInput<Stored>(conditions) },
});

/** Writes a whole record; false when a condition fails. */
export async function putItem<Stored extends object = never>(
  key: Key,
  record: NoInfer<Stored>,
  conditions: Conditions<NoInfer<Stored>> = {},
): Promise<boolean> {
  return (await sendPut(putInput<Stored>(key, record, conditions))).isMade;
}

/** Writes a whole record; when a condition fails, it returns the stored item. */
export const putOrRead = <Stored extends object = never>(
  key: Key,
  record: NoInfer<Stored>,
  conditions: Conditions<NoInfer<Stored>>,
): Promise<WriteOutcome> => sendPut(putInput<Stored>(key, record, conditions), 'ALL_OLD');

/** Changes an existing record and returns it; null when there is none or a condition fails. */
export async function changeItem<Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
): Promise<Item | null> {
  return upsertItem<Stored>(key, { ...change, if: [...(change.if ?? []), ['pk', 'exists']] });
}

/** Changes a record or creates it, and returns it; null when a condition fails. */
export async function upsertItem<Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
): Promise<Item | null> {
  const { isMade, item } = await upsertAnswering<Stored>(key, change, 'ALL_NEW');
  return isMade ? item : null;
}

/** The same; returns the requested attributes or, when a condition fails, the stored item. */
export const upsertAnswering = <Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
  returning: Returning,
): Promise<WriteOutcome> =>
  sendUpdate(updateInput<Stored>(key, change), { returning, isOwn: (stored) => isLeftBy(change, stored) });

type Anything = Change<Record<string, unknown>>;

/** Additions to numbers and lists cannot be recognised in the stored item: the other attributes of the write decide. */
function isLeftBy(change: object, stored: Item): boolean {
  const { set, setIfAbsent, remove = [], add, takeOut } = change as Anything;
  const isIn = (name: string, member: unknown) => (stored[name] as Set<unknown> | undefined)?.has(member) ?? false;
  const members = (sets: Anything['add']) =>
    pairsOf(sets).flatMap(([name, value]) =>
      value instanceof Set ? [...value].map((one) => [name, one] as const) : [],
    );
  const traces = [
    ...pairsOf(set).map(([name, value]) => isStoredAs({ value }, { value: stored[name] })),
    ...remove.map((name) => !(name in stored)),
    ...members(add).map(([name, member]) => isIn(name, member)),
    ...members(takeOut).map(([name, member]) => !isIn(name, member)),
  ];
  return traces.length > 0 && traces.every(Boolean) && pairsOf(setIfAbsent).every(([name]) => name in stored);
}

/** Deletes a record; false when there was none, or a condition failed. */
export async function deleteItem<Stored extends object = never>(
  key: Key,
  conditions: Conditions<NoInfer<Stored>> = {},
): Promise<boolean> {
  const isThere = { ...conditions, if: [...(conditions.if ?? []), ['pk', 'exists'] as const] };
  return (await sendDelete(deleteInput<Stored>(key, isThere))).isMade;
}

/** A write was refused after the answer to an earlier try was lost: it is unknown whether that try succeeded. */
class WriteInDoubt extends ServiceUnavailable {
  override readonly name = 'WriteInDoubt';
}

interface Once<Stored> {
  /** The attribute that stores a marker for each change. */
  readonly marker: keyof Stored & string;
  /** True when the stored item refuses the change, whatever happened to an earlier try. */
  readonly isRefusedBy?: (stored: Item) => boolean;
}

/**
 * A change with additions that is made once although the client repeats it after a lost answer: its marker is stored
 * with it and refuses the repetition. If another such change has overwritten the marker meanwhile, it adds twice; or,
 * if it is refused, it throws `WriteInDoubt`, since the result is unknown.
 */
export async function changeOnce<Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
  { marker, isRefusedBy }: Once<NoInfer<Stored>>,
): Promise<Pick<WriteOutcome, 'isMade' | 'item'>> {
  const { isMade, item, isInDoubt } = await writeMarked<Stored>(key, change, marker, 'UPDATED_NEW');
  if (isInDoubt && !isRefusedBy?.(item)) throw new WriteInDoubt('A write may have been made.');
  return { isMade, item };
}

/**
 * As `changeOnce`, for an existing record, which it returns. Null also when it is unknown whether the change was made.
 */
export async function changeItemOnce<Stored extends object = never>(
  key: Key,
  change: Change<NoInfer<Stored>>,
  marker: keyof Stored & string,
): Promise<Item | null> {
  const own = { ...change, if: [...(change.if ?? []), ['pk', 'exists'] as const] };
  const { isMade, item } = await writeMarked<Stored>(key, own, marker, 'ALL_NEW');
  return isMade ? item : null;
}

async function writeMarked<Stored extends object>(
  key: Key,
  change: Change<Stored>,
  marker: keyof Stored & string,
  returning: Returning,
): Promise<WriteOutcome> {
  // Short, since it stays in the item: it only has to differ from the previous one.
  const own = randomBytes(6).toString('base64url');
  const { set, if: conditions = [], ...rest } = change as Change<Item>;
  const marked: Change<Item> = {
    ...rest,
    set: [...[set ?? []].flat(), [marker, own]],
    if: [
      ...conditions,
      {
        any: [
          [marker, 'absent'],
          [marker, '<>', own],
        ],
      },
    ],
  };
  return sendUpdate(updateInput<Item>(key, marked), { returning, isOwn: (stored) => stored[marker] === own });
}

/** What is limited per workspace, by the attribute that counts it. */
interface Counts {
  readonly automations?: number;
  readonly templates?: number;
  readonly webhooks?: number;
}

/** Counts one more of what is limited per workspace: a part of the transaction that creates it. */
export const oneMore = (key: Key, name: keyof Counts, limit: number): TransactionPart =>
  changePart<Counts>(key, {
    add: [[name, 1]],
    if: [
      {
        any: [
          [name, 'absent'],
          [name, '<', limit],
        ],
      },
    ],
  });

/** Counts one less: a part of the transaction that deletes it. */
export const oneLess = (key: Key, name: keyof Counts): TransactionPart =>
  changePart<Counts>(key, { add: [[name, -1]] });
