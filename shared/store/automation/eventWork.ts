import { type Indexed, personEventKey } from '../table/keys.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changePart } from '../table/write.ts';

export interface EventPosition {
  readonly workspaceId: string;
  readonly email: string;
  readonly eventId: string;
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
  return (await transact([done, ...counts])) === null;
}
