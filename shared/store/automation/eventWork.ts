import type { PersonEvent } from '../../domain/personEvents/personEvent.ts';
import { personEventOf } from '../personEvents/personEventRecord.ts';
import { type Indexed, personEventKey } from '../table/keys.ts';
import { getItem, type TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changePart } from '../table/write.ts';

export interface EventPosition {
  readonly workspaceId: string;
  readonly email: string;
  readonly eventId: string;
}

/** An event that is still to be acted on, strongly consistent: a message that comes again finds none. */
export async function getDueEvent({ workspaceId, email, eventId }: EventPosition): Promise<PersonEvent | null> {
  const item = await getItem(personEventKey(workspaceId, email, eventId));
  return item?.due_pk === undefined ? null : personEventOf(workspaceId, item);
}

/** As many as a transaction may have, beside `done`. */
const mostCounts = 99;

/** Writes that a cause was handled (`done`), with its counters. Those above a transaction's limit are written after it. */
export async function settle(done: TransactionPart, counts: readonly TransactionPart[]): Promise<boolean> {
  const isSettled = (await transact([done, ...counts.slice(0, mostCounts)])) === null;
  if (isSettled && counts.length > mostCounts) await transact(counts.slice(mostCounts));
  return isSettled;
}

/** Marks an event as acted on, with what is counted of it; false when another worker did. */
export async function settleEvent(
  { workspaceId, email, eventId }: EventPosition,
  counts: readonly TransactionPart[],
): Promise<boolean> {
  const done = changePart<Indexed<'due'>>(personEventKey(workspaceId, email, eventId), {
    remove: ['due_pk', 'due_sk'],
    if: [['due_pk', 'exists']],
  });
  return settle(done, counts);
}
