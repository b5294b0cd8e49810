import { firstIdAt } from '../../domain/identifier.ts';
import { type MailMark, mailActivityName } from '../../domain/personEvents/mailActivity.ts';
import { hasExpired } from '../../domain/personEvents/personEvent.ts';
import { readTogether } from '../table/batches.ts';
import { activityKey, addressItemKey } from '../table/keys.ts';
import { deleteItem, putItem } from '../table/write.ts';
import { type ActivityRecord, activityOf, activityRecord } from './personEventRecord.ts';

/**
 * Stores a mail mark of a subscriber as an activity. It takes two read units, and two write units if the mark is later than
 * the stored one; an earlier one writes nothing. Marks of the same moment are read in one call. Nothing is written for other
 * addresses, or for a person who is erased meanwhile.
 */
export async function noteMail(
  { workspaceId, email, action, at }: MailMark,
  expiresAt: number,
  now: Date,
): Promise<void> {
  const name = mailActivityName(action);
  const key = activityKey(workspaceId, email, name);
  const [person, item] = await readTogether([addressItemKey(workspaceId, email), key]);
  if (person?.status === undefined) return;
  const before = item ? activityOf(item) : null;
  const last = at.toISOString();
  if (before && before.last >= last) return;
  const first = before && !hasExpired(before, now) ? before.first : last;
  // The same mark can come more than once, so a count of them would not be true.
  const activity = { count: 1, first, last, lastId: firstIdAt('event', at), expiresAt };
  const record = activityRecord({ workspaceId, email, name }, activity);
  if (before || !(await putItem<ActivityRecord>(key, record, { if: [['pk', 'absent']] }))) {
    // Not where the sum is gone: an erasure has removed it.
    await putItem<ActivityRecord>(key, record, { if: [['last_id', '<', activity.lastId]] });
    return;
  }
  // An erasure deletes the person before it looks for their records: it finds this one, or the person is gone by now.
  const [stillThere] = await readTogether([addressItemKey(workspaceId, email)]);
  if (stillThere?.status === undefined) await deleteItem<ActivityRecord>(key, { expect: { last_id: activity.lastId } });
}
