import type { Key } from './keys.ts';
import { type TransactionPart, tableName } from './table.ts';

/** Counts one more of what a workspace has at most `limit` of, in the transaction that makes it. */
export const oneMore = (Key: Key, name: string, limit: number): TransactionPart => ({
  Update: {
    TableName: tableName(),
    Key,
    UpdateExpression: 'ADD #count :one',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
    ExpressionAttributeNames: { '#count': name },
    ExpressionAttributeValues: { ':one': 1, ':limit': limit },
  },
});

/** Counts one less, in the transaction that deletes it. */
export const oneLess = (Key: Key, name: string): TransactionPart => ({
  Update: {
    TableName: tableName(),
    Key,
    UpdateExpression: 'ADD #count :less',
    ExpressionAttributeNames: { '#count': name },
    ExpressionAttributeValues: { ':less': -1 },
  },
});
