import { emailKey, monthKey } from '../table/keys.ts';
import { type TransactionPart, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { type AcceptedEmail, messageIdName } from './emails.ts';
import type { Quota } from './sends.ts';
import { daySentName, type FormerReservation, formerName, type MonthUsage } from './usage.ts';

/**
 * Closes a reservation of the release before, which stands in the month's item, and gives back what it does not keep.
 * False when it or its email is not as it was read: it is to be looked at again.
 */
export async function settleFormer(
  { workspaceId, month }: Pick<MonthUsage, 'workspaceId' | 'month'>,
  reservation: FormerReservation,
  email: AcceptedEmail | null,
  kept: Quota,
): Promise<boolean> {
  const update: TransactionPart = {
    Update: {
      TableName: tableName(),
      Key: monthKey(workspaceId, month),
      UpdateExpression: 'REMOVE #reservation ADD used :recipients, #day :counted',
      ConditionExpression: '#reservation.#at = :at',
      ExpressionAttributeNames: {
        '#reservation': formerName(reservation.holderId),
        '#day': daySentName(`${month}-${reservation.day}`),
        '#at': 'at',
      },
      ExpressionAttributeValues: {
        ':recipients': kept.recipients - reservation.recipients,
        ':counted': kept.counted - reservation.counted,
        ':at': reservation.at,
      },
    },
  };
  return (await transact([update, unchanged(workspaceId, reservation.holderId, email)])) === null;
}

function unchanged(workspaceId: string, emailId: string, email: AcceptedEmail | null): TransactionPart {
  const open = [...(email?.messageIds.keys() ?? [])].filter((index) => !email?.messageIds[index]);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: emailKey(workspaceId, emailId),
      ConditionExpression: email
        ? ['attribute_exists(pk)', ...open.map((index) => `attribute_not_exists(${messageIdName(index)})`)].join(
            ' AND ',
          )
        : 'attribute_not_exists(pk)',
    },
  };
}
