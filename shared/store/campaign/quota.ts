import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import type { CancellationReason } from '../dynamodb/errors.ts';
import { monthKey, workspaceKey } from '../table/keys.ts';
import { type TransactionPart, tableName } from '../table/table.ts';

const keptMonths = 13;

/** Takes all people of a campaign from the month, if they fit: a part of the transaction that starts it. */
export function takePart(workspaceId: string, month: string, people: number, limit: number, at: Date): TransactionPart {
  const isEmpty = people <= limit ? 'attribute_not_exists(used) OR ' : '';
  return {
    Update: {
      TableName: tableName(),
      Key: monthKey(workspaceId, month),
      UpdateExpression: 'SET expires_at = :expires ADD used :people',
      ConditionExpression: `${isEmpty}used <= :room`,
      ExpressionAttributeValues: {
        ':people': people,
        ':room': limit - people,
        ':expires': epochSeconds(at) + keptMonths * 31 * secondsInDay,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** How much of the month was used, when `takePart` found no room; null when it did. */
export function usedOf(reason: CancellationReason | undefined): number | null {
  if (reason?.Code !== 'ConditionalCheckFailed') return null;
  return Number(reason.Item?.used ?? 0);
}

/** Gives back whom a campaign skipped and who failed: a part of the transaction that ends it, so that it is done once. */
export function giveBackPart(workspaceId: string, month: string, people: number): TransactionPart {
  return {
    Update: {
      TableName: tableName(),
      Key: monthKey(workspaceId, month),
      UpdateExpression: 'ADD used :people',
      ExpressionAttributeValues: { ':people': -people },
    },
  };
}

/** The workspace may send: checked in the transaction that starts a campaign. */
export const notSuspendedPart = (workspaceId: string): TransactionPart => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: workspaceKey(workspaceId),
    ConditionExpression: 'attribute_not_exists(suspension) OR attribute_type(suspension, :null)',
    ExpressionAttributeValues: { ':null': 'NULL' },
  },
});
