import { UpdateCommand } from '../dynamodb/commands.ts';
import { batchWrite } from '../table/batchWrite.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import type { Key } from '../table/keys.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';
import { contended, transact } from '../table/transaction.ts';

/** An item as it stands now, strongly consistent. */
export async function readItem(key: Key): Promise<Item | null> {
  const [item] = await batchGet([key], { consistent: true });
  return item ?? null;
}

export const deleteItems = (keys: readonly Key[]): Promise<void> =>
  batchWrite(keys.map((Key) => ({ DeleteRequest: { Key } })));

/**
 * Puts another form of an item in its place, under another key if need be, provided that nobody has changed what differs
 * since it was read. False when somebody has.
 */
export async function replaceItem(before: Item, after: Item): Promise<boolean> {
  const [from, to] = [keyOf(before), keyOf(after)];
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  if (from.pk === to.pk && from.sk === to.sk) return updateItem(from, before, after, changed);
  const names = Object.keys(before).filter((name) => name !== 'pk' && name !== 'sk');
  const refused = await transact([
    { Delete: { TableName: tableName(), Key: from, ...unchanged(before, names) } },
    { Put: { TableName: tableName(), Item: after } },
  ]);
  return refused === null;
}

async function updateItem(Key: Key, before: Item, after: Item, changed: readonly string[]): Promise<boolean> {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = unchanged(before, changed);
  const named = changed.map((name, index) => ({ name: `#n${index}`, value: `:a${index}`, given: after[name] }));
  const set = named.filter(({ given }) => given !== undefined);
  const gone = named.filter(({ given }) => given === undefined);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(({ name, value }) => `${name} = ${value}`).join(', ')}`] : []),
    ...(gone.length > 0 ? [`REMOVE ${gone.map(({ name }) => name).join(', ')}`] : []),
  ];
  const update = new UpdateCommand({
    TableName: tableName(),
    Key,
    UpdateExpression: clauses.join(' '),
    ConditionExpression,
    ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ...Object.fromEntries(set.map(({ value, given }) => [value, given])),
    },
  });
  return succeeds(() => documents.send(update));
}

function unchanged(before: Item, names: readonly string[]) {
  const conditions = names.map((name, index) =>
    before[name] === undefined ? `attribute_not_exists(#n${index})` : `#n${index} = :b${index}`,
  );
  const values = names.flatMap((name, index) => (before[name] === undefined ? [] : [[`:b${index}`, before[name]]]));
  return {
    ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}

async function succeeds(write: () => Promise<unknown>): Promise<boolean> {
  return conditionHolds(() => contended(write));
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
