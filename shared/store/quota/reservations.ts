import { shardOf } from '../../domain/encoding.ts';
import { timeOfId } from '../../domain/identifier.ts';
import { dateOf, type Minute, minuteOf, settlesAt } from '../../domain/sending/settlement.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import type { Email } from '../emails/email.ts';
import type { Change } from '../table/expression.ts';
import { dueUsagePartition, dueUsageShards, monthKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { changeItem, changeOnce } from '../table/write.ts';
import {
  type AttemptList,
  closeSend,
  latestAttempt,
  putAttemptList,
  putLateDelivery,
  putSend,
  type Quota,
} from './attempts.ts';
import { daySentName, type MonthRecord, minuteCountedName, minuteRecipientsName } from './months.ts';

/**
 * A reservation: its settlement bucket, and the quota used after it (0 for a takeover). Or, if the quota does not
 * suffice, how much of it is used.
 */
export type Reserved =
  | { readonly ok: true; readonly minute: Minute; readonly used: number }
  | { readonly ok: false; readonly used: number };

const keptMonths = 13;

/**
 * `only`: no other attempt at the email is possible. `first`: the Idempotency-Key allows further attempts. `later`: the
 * outcome of the previous attempt is unknown.
 */
export type AttemptKind = 'only' | 'first' | 'later';

/**
 * Reserves quota for an attempt at an email, if enough is left, and stores the attempt. Call it once for each attempt,
 * before SES is called. Of two concurrent calls for the last of the quota one fails. Nothing needs to be undone after a
 * crash: what no accepted envelope refers to within five minutes is given back, exactly. A later attempt takes over the
 * reservation of the earlier one if it still exists, and then needs no further quota. `first`: the bucket in which the
 * first attempt was listed, if not the minute of the email's id.
 */
export async function reserve(
  email: Email,
  quota: Quota,
  limit: number,
  at: Date,
  attempt: AttemptKind,
  first: Minute = minuteOf(timeOfId(email.id)),
): Promise<Reserved> {
  const list = (minute: Minute) => putSend(email, quota, minute);
  if (attempt === 'only') return inMinute(email.workspaceId, quota, limit, at, list);
  const takenOver = attempt === 'later' ? await takeOver(email, first, quota, at) : null;
  const reserved = takenOver ?? (await inMinute(email.workspaceId, quota, limit, at));
  // Stored only now: a stored attempt proves to a later one that its reservation was made.
  if (reserved.ok) await list(reserved.minute);
  return reserved;
}

/**
 * Reserves quota for all emails of a batch in one update, if all of it suffices, and stores their attempts. Unlike
 * `reserve`, it takes over nothing from an earlier call, which would need three calls per email: the settlement gives
 * back what that call reserved.
 */
export async function reserveBatch(
  workspaceId: string,
  lists: readonly AttemptList[],
  limit: number,
  at: Date,
): Promise<Reserved> {
  const quotas = lists.flatMap(({ attempts }) => attempts.map(({ quota }) => quota));
  const reserved = await inMinute(workspaceId, totalOf(quotas), limit, at);
  if (reserved.ok) await Promise.all(lists.map((list) => putAttemptList(workspaceId, list, reserved.minute)));
  return reserved;
}

/** Gives back at once the quota of what was not sent of a batch. */
export const giveBackBatch = (workspaceId: string, minute: Minute, quotas: readonly Quota[]): Promise<void> =>
  returnTo(workspaceId, minute, totalOf(quotas));

const totalOf = (quotas: readonly Quota[]): Quota => ({
  recipients: quotas.reduce((sum, { recipients }) => sum + recipients, 0),
  counted: quotas.reduce((sum, { counted }) => sum + counted, 0),
});

/** Null when there is nothing to take over: the reservation is settled or closed, or the attempt crashed before it. */
async function takeOver({ workspaceId, id }: Email, first: Minute, quota: Quota, at: Date): Promise<Reserved | null> {
  const from = await latestAttempt(workspaceId, first, id);
  const minute = minuteOf(at);
  if (from === null || from > minute) return null;
  if (from === minute) return { ok: true, minute, used: 0 };
  const isClosed = await closeSend(workspaceId, from, id, minute);
  return isClosed && (await move(workspaceId, from, minute, quota)) ? { ok: true, minute, used: 0 } : null;
}

/** Moves a reservation to another settlement bucket. False when the first is settled or belongs to another day. */
async function move(workspaceId: string, from: Minute, to: Minute, quota: Quota): Promise<boolean> {
  const date = dateOf(to);
  if (dateOf(from) !== date) return false;
  const moved = await changeItem<MonthRecord>(monthKey(workspaceId, date.slice(0, 7)), {
    set: { last_minute: to },
    add: [
      [minuteRecipientsName(to), quota.recipients],
      [minuteCountedName(to), quota.counted],
      [minuteRecipientsName(from), -quota.recipients],
      [minuteCountedName(from), -quota.counted],
    ],
    // Buckets are settled in order: while the earlier one exists, none after it is settled.
    if: [[minuteRecipientsName(from), 'exists']],
  });
  return moved !== null;
}

/**
 * Counts a delivery in the current settlement bucket, because its own is settled or unknown. Returns the bucket that
 * counts it.
 */
export async function countLate(workspaceId: string, emailId: string, address: string, at: Date): Promise<Minute> {
  const list = (minute: Minute) => putLateDelivery(workspaceId, emailId, address, minute);
  const reserved = await inMinute(workspaceId, { recipients: 0, counted: 0 }, Number.MAX_SAFE_INTEGER, at, list);
  if (!reserved.ok) throw new Error('A reservation of nothing was refused.');
  return reserved.minute;
}

/** A settled bucket is not reopened: where our clock is behind the sweeper's, the next bucket is used. */
async function inMinute(
  workspaceId: string,
  quota: Quota,
  limit: number,
  at: Date,
  list: (minute: Minute) => Promise<void> = async () => {},
): Promise<Reserved> {
  let minute = minuteOf(at);
  for (;;) {
    const [taken] = await Promise.all([take(workspaceId, minute, quota, limit), list(minute)]);
    if (!('settledThrough' in taken)) return taken;
    minute = Math.max(minuteOf(at), taken.settledThrough + 1);
  }
}

/**
 * One write to the month's item, whatever the number of concurrent sends. Throws when its answer was lost and so much
 * was used since that it is unknown whether there was enough: the settlement gives back what it may have taken.
 */
async function take(
  workspaceId: string,
  minute: Minute,
  { recipients, counted }: Quota,
  limit: number,
): Promise<Reserved | { readonly settledThrough: Minute }> {
  const date = dateOf(minute);
  const room = limit - recipients;
  const start = new Date(minute * 60_000);
  const change: Change<MonthRecord> = {
    set: { last_minute: minute, expires_at: epochSeconds(start) + keptMonths * 31 * secondsInDay },
    setIfAbsent: {
      due_pk: dueUsagePartition(shardOf(workspaceId, dueUsageShards)),
      due_sk: settlesAt(minute).toISOString(),
    },
    add: [
      ['used', recipients],
      [daySentName(date), counted],
      [minuteRecipientsName(minute), recipients],
      [minuteCountedName(minute), counted],
    ],
    if: [
      room < 0
        ? ['used', '<=', room]
        : {
            any: [
              ['used', 'absent'],
              ['used', '<=', room],
            ],
          },
      {
        any: [
          ['settled_through', 'absent'],
          ['settled_through', '<', minute],
        ],
      },
    ],
  };
  const settledIn = (month: Item) => Number(month.settled_through ?? 0);
  // A settled bucket has given back what an earlier try may have taken in it.
  const isRefusedBy = (month: Item) => settledIn(month) >= minute;
  const key = monthKey(workspaceId, date.slice(0, 7));
  const { isMade, item } = await changeOnce<MonthRecord>(key, change, { marker: 'last_take', isRefusedBy });
  const used = Number(item.used ?? 0);
  if (isMade) return { ok: true, minute, used };
  return isRefusedBy(item) ? { settledThrough: settledIn(item) } : { ok: false, used };
}

/**
 * Gives back at once what SES certainly refused; only for the call that reserved it. The settlement gives back the
 * rest.
 */
export async function giveBack(email: Email, minute: Minute, quota: Quota): Promise<void> {
  await closeSend(email.workspaceId, minute, email.id, null);
  await returnTo(email.workspaceId, minute, quota);
}

async function returnTo(workspaceId: string, minute: Minute, { recipients, counted }: Quota): Promise<void> {
  const date = dateOf(minute);
  const change: Change<MonthRecord> = {
    add: [
      ['used', -recipients],
      [daySentName(date), -counted],
      [minuteRecipientsName(minute), -recipients],
      [minuteCountedName(minute), -counted],
    ],
    if: [[minuteRecipientsName(minute), 'exists']],
  };
  const isRefusedBy = (month: Item) => !(minuteRecipientsName(minute) in month);
  const key = monthKey(workspaceId, date.slice(0, 7));
  await changeOnce<MonthRecord>(key, change, { marker: 'last_return', isRefusedBy });
}
