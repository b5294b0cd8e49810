import { attributesOf, itemOf } from './attributes.ts';

/** Where attributes stand in the inputs and outputs of operations (API reference), between plain objects and what travels. */
type Translation<From = never> = (value: From) => unknown;

/** A copy in which the members of these names are translated, where they are present. */
const members =
  (translations: Readonly<Record<string, Translation>>) =>
  (value: object): object => {
    const copy: Record<string, unknown> = { ...value };
    for (const [name, translate] of Object.entries(translations)) {
      if (copy[name] !== undefined && copy[name] !== null) copy[name] = translate(copy[name] as never);
    }
    return copy;
  };

const each =
  <From>(translate: Translation<From>) =>
  (values: readonly From[]) =>
    values.map((value) => translate(value));

const byTable =
  <From>(translate: Translation<From>) =>
  (tables: Readonly<Record<string, From>>) =>
    Object.fromEntries(Object.entries(tables).map(([table, value]) => [table, translate(value)]));

/** Of an operation on one item, of a query, of a scan, and of one part of a transaction. */
export const singleRequest = members({
  Item: attributesOf,
  Key: attributesOf,
  ExpressionAttributeValues: attributesOf,
  ExclusiveStartKey: attributesOf,
});

export const singleAnswer = members({
  Item: itemOf,
  Attributes: itemOf,
  Items: each(itemOf),
  LastEvaluatedKey: itemOf,
});

export const batchGetRequest = members({ RequestItems: byTable(members({ Keys: each(attributesOf) })) });

export const batchGetAnswer = members({
  Responses: byTable(each(itemOf)),
  UnprocessedKeys: byTable(members({ Keys: each(itemOf) })),
});

export const batchWriteRequest = members({
  RequestItems: byTable(each(members({ PutRequest: singleRequest, DeleteRequest: singleRequest }))),
});

export const batchWriteAnswer = members({
  UnprocessedItems: byTable(
    each(members({ PutRequest: members({ Item: itemOf }), DeleteRequest: members({ Key: itemOf }) })),
  ),
});

export const transactionRequest = members({
  TransactItems: each(
    members({ ConditionCheck: singleRequest, Put: singleRequest, Update: singleRequest, Delete: singleRequest }),
  ),
});
