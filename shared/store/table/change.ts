import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import { documents, type Item, tableName } from './table.ts';

/** A change of an existing item. In `expect`, what must still stand for it; `undefined` means that it must be absent. */
export interface Change<Fields extends Item = Item> {
  readonly set?: Partial<Fields>;
  readonly remove?: readonly (keyof Fields & string)[];
  readonly expect?: { readonly [Name in keyof Fields]?: Fields[Name] | undefined };
}

/** Makes the change and answers the item as it then stands; null when it is gone or `expect` does not hold. */
export async function changeItem<Fields extends Item>(key: Key, change: Change<Fields>): Promise<Item | null> {
  try {
    const { Attributes } = await documents.send(new UpdateCommand(updateOf(key, change)));
    return Attributes ?? null;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}

function updateOf<Fields extends Item>(key: Key, { set = {}, remove = [], expect = {} }: Change<Fields>) {
  const expected = Object.entries(expect);
  const given = expected.filter(([, value]) => value !== undefined);
  const names = [...new Set([...Object.keys(set), ...remove, ...expected.map(([name]) => name)])];
  const values = [
    ...Object.entries(set).map(([name, value]) => [`:set_${name}`, value] as const),
    ...given.map(([name, value]) => [`:expect_${name}`, value] as const),
  ];
  const assignments = Object.keys(set).map((name) => `#${name} = :set_${name}`);
  const conditions = expected.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :expect_${name}`,
  );
  return {
    TableName: tableName(),
    Key: key,
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])) }),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    ReturnValues: 'ALL_NEW' as const,
  };
}
