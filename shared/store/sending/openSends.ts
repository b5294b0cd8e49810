import { emailKey } from '../table/keys.ts';
import { type TransactionPart, tableName } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { type EmailRecord, givenBackName, messageIdName } from './emails.ts';
import {
  giveBackUpdate,
  lateUpdate,
  type Reservation,
  type ReserveResult,
  refusedReservation,
  renew,
  reservationUpdate,
} from './usage.ts';

/**
 * What happens to the quota of a send that nobody saw the end of. The month and the email change in one transaction, so
 * that each recipient is counted exactly while a reservation is open for it or the provider has its message. All of it
 * is rare: a send that ends well never comes here.
 */

type Counts = Omit<Reservation, 'holderId' | 'at'>;

/**
 * Closes a reservation and gives back these envelopes, which nobody knows to be accepted. False when one of them was
 * accepted meanwhile, or the reservation is not the one that was seen at `seenAt`.
 */
export async function giveBackOpen(
  record: EmailRecord,
  envelopes: readonly number[],
  reservation: Omit<Reservation, 'at'>,
  seenAt: string,
): Promise<boolean> {
  const mark = emailChange(record, envelopes, {
    update: `SET ${envelopes.map((index) => `${givenBackName(index)} = :true`).join(', ')}`,
    values: { ':true': true },
  });
  return (await transact([mark, { Update: giveBackUpdate(record.workspace_id, reservation, seenAt) }])) === null;
}

/** Marks an envelope accepted that had been given back, and counts it again. False when another call did. */
export async function takeBack(
  record: EmailRecord,
  envelope: number,
  messageId: string,
  counts: Counts,
): Promise<boolean> {
  const mark: TransactionPart = {
    Update: {
      TableName: tableName(),
      Key: emailKey(record.workspace_id, record.email_id),
      UpdateExpression: 'SET #id = :id REMOVE #back',
      ConditionExpression: 'attribute_exists(#back)',
      ExpressionAttributeNames: { '#id': messageIdName(envelope), '#back': givenBackName(envelope) },
      ExpressionAttributeValues: { ':id': messageId },
    },
  };
  return (await transact([mark, { Update: lateUpdate(record.workspace_id, counts) }])) === null;
}

/**
 * Reserves for the envelopes of a send that is tried again: its reservation may stand, or was given back. Null when one
 * of them turns out to be accepted.
 */
export async function reserveAgain(
  record: EmailRecord,
  envelopes: readonly number[],
  limit: number,
  reservation: Reservation,
): Promise<ReserveResult | null> {
  if (await renew(record.workspace_id, reservation)) return { ok: true };
  const reopen = emailChange(record, envelopes, { update: `REMOVE ${envelopes.map(givenBackName).join(', ')}` });
  const refused = await transact([{ Update: reservationUpdate(record.workspace_id, limit, reservation) }, reopen]);
  if (refused === null) return { ok: true };
  const [month, email] = refused;
  if (isFailedCondition(email)) return null;
  return refusedReservation(reservation, month?.Item);
}

function emailChange(
  record: EmailRecord,
  envelopes: readonly number[],
  change: { update: string; values?: Record<string, unknown> },
): TransactionPart {
  const unaccepted = envelopes.map((index) => `attribute_not_exists(${messageIdName(index)})`);
  return {
    Update: {
      TableName: tableName(),
      Key: emailKey(record.workspace_id, record.email_id),
      UpdateExpression: change.update,
      ConditionExpression: ['attribute_exists(pk)', ...unaccepted].join(' AND '),
      ...(change.values ? { ExpressionAttributeValues: change.values } : {}),
    },
  };
}
