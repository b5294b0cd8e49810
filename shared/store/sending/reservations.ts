import { shardOf } from '../../domain/encoding/shard.ts';
import { dateOf, type Minute, minuteOf, settlesAt } from '../../domain/sending/minute.ts';
import { timeOfId } from '../../domain/token/identifier.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { UpdateCommand, type UpdateCommandInput } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { dueUsagePartition, dueUsageShards, monthKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended } from '../table/transaction.ts';
import { updateOnce } from '../table/updateOnce.ts';
import type { Email } from './email.ts';
import {
  closeSend,
  deleteSend,
  latestAttempt,
  putLateDelivery,
  putSend,
  putSheet,
  type Quota,
  type Sheet,
} from './sends.ts';
import { daySentName, minuteCountedName, minuteRecipientsName } from './usage.ts';

/**
 * What was taken, on the account of which minute, and how much of the quota is used with it (0 when it was taken over);
 * or how much was used when there was no room.
 */
export type Reserved =
  | { readonly ok: true; readonly minute: Minute; readonly used: number }
  | { readonly ok: false; readonly used: number };

const keptMonths = 13;

/**
 * The only attempt at an email that there can ever be; the first of several that its key allows; or a later one, whose
 * forerunner nobody saw the end of.
 */
export type AttemptKind = 'only' | 'first' | 'later';

/**
 * Takes what an attempt at an email needs from the month's quota, if it fits, and lists the attempt: to be called before
 * the provider is, and once for each attempt. Two that race for the last place never both win. Nothing has to be undone
 * after a crash: what no accepted envelope names as its payer within five minutes is given back, exactly. A later attempt
 * takes over what the one before holds, if that is still there, and so finds room where there is none for others.
 */
export async function reserve(
  email: Email,
  quota: Quota,
  limit: number,
  at: Date,
  attempt: AttemptKind,
): Promise<Reserved> {
  const list = (minute: Minute) => putSend(email, quota, minute);
  if (attempt === 'only') return inMinute(email.workspaceId, quota, limit, at, list);
  const takenOver = attempt === 'later' ? await takeOver(email, quota, at) : null;
  const reserved = takenOver ?? (await inMinute(email.workspaceId, quota, limit, at));
  // Only now: that an attempt is listed proves to a later one that its reservation stands.
  if (reserved.ok) await list(reserved.minute);
  return reserved;
}

/**
 * Takes in one update what all emails of a batch need, if all of it fits, and lists their attempts: as `reserve` does,
 * but that an attempt of an earlier call is not taken over, which would be three calls for each of them. What that one
 * holds is given back when its minute is settled.
 */
export async function reserveBatch(
  workspaceId: string,
  sheets: readonly Sheet[],
  limit: number,
  at: Date,
): Promise<Reserved> {
  const quotas = sheets.flatMap(({ attempts }) => attempts.map(({ quota }) => quota));
  const reserved = await inMinute(workspaceId, totalOf(quotas), limit, at);
  if (reserved.ok) await Promise.all(sheets.map((sheet) => putSheet(workspaceId, sheet, reserved.minute)));
  return reserved;
}

/** Gives back at once what was not sent of a batch. */
export const giveBackBatch = (workspaceId: string, minute: Minute, quotas: readonly Quota[]): Promise<void> =>
  returnTo(workspaceId, minute, totalOf(quotas));

const totalOf = (quotas: readonly Quota[]): Quota => ({
  recipients: quotas.reduce((sum, { recipients }) => sum + recipients, 0),
  counted: quotas.reduce((sum, { counted }) => sum + counted, 0),
});

/** Null when there is nothing to take over: it is settled or closed, or the attempt died before it had reserved. */
async function takeOver({ workspaceId, id }: Email, quota: Quota, at: Date): Promise<Reserved | null> {
  const from = await latestAttempt(workspaceId, minuteOf(timeOfId(id)), id);
  const minute = minuteOf(at);
  if (from === null || from > minute) return null;
  if (from === minute) return { ok: true, minute, used: 0 };
  const isClosed = await closeSend(workspaceId, from, id, minute);
  return isClosed && (await move(workspaceId, from, minute, quota)) ? { ok: true, minute, used: 0 } : null;
}

/** What was taken stays taken, on another minute's account. False when the first is settled, or was on another day. */
async function move(workspaceId: string, from: Minute, to: Minute, quota: Quota): Promise<boolean> {
  const date = dateOf(to);
  if (dateOf(from) !== date) return false;
  return change({
    Key: monthKey(workspaceId, date.slice(0, 7)),
    UpdateExpression:
      'SET last_minute = :to ADD #recipients :recipients, #counted :counted, ' +
      '#formerRecipients :lessRecipients, #formerCounted :lessCounted',
    // While the earlier minute stands, none after it is settled.
    ConditionExpression: 'attribute_exists(#formerRecipients)',
    ExpressionAttributeNames: {
      '#recipients': minuteRecipientsName(to),
      '#counted': minuteCountedName(to),
      '#formerRecipients': minuteRecipientsName(from),
      '#formerCounted': minuteCountedName(from),
    },
    ExpressionAttributeValues: {
      ':to': to,
      ':recipients': quota.recipients,
      ':counted': quota.counted,
      ':lessRecipients': -quota.recipients,
      ':lessCounted': -quota.counted,
    },
  });
}

/** Has a delivery counted in the present minute, since its own is settled or none is known. Answers that minute. */
export async function countLate(workspaceId: string, emailId: string, address: string, at: Date): Promise<Minute> {
  const list = (minute: Minute) => putLateDelivery(workspaceId, emailId, address, minute);
  const reserved = await inMinute(workspaceId, { recipients: 0, counted: 0 }, Number.MAX_SAFE_INTEGER, at, list);
  if (!reserved.ok) throw new Error('There was no room for nothing.');
  return reserved.minute;
}

/** A clock that lags, or a sweeper ahead of it: a minute that is settled takes nothing more, the next one does. */
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
 * One write on the month's item, the same however much is in flight. Throws when its answer was lost and others took so
 * much since that nobody can tell whether there was room: what it may have taken is given back by the settlement.
 */
async function take(
  workspaceId: string,
  minute: Minute,
  { recipients, counted }: Quota,
  limit: number,
): Promise<Reserved | { readonly settledThrough: Minute }> {
  const date = dateOf(minute);
  const start = new Date(minute * 60_000);
  const update = {
    Key: monthKey(workspaceId, date.slice(0, 7)),
    UpdateExpression:
      'SET last_minute = :minute, expires_at = :expires, ' +
      'due_pk = if_not_exists(due_pk, :due), due_sk = if_not_exists(due_sk, :settles) ' +
      'ADD used :recipients, #day :counted, #recipients :recipients, #counted :counted',
    ConditionExpression:
      (limit < recipients ? 'used <= :room' : '(attribute_not_exists(used) OR used <= :room)') +
      ' AND (attribute_not_exists(settled_through) OR settled_through < :minute)',
    ExpressionAttributeNames: {
      '#day': daySentName(date),
      '#recipients': minuteRecipientsName(minute),
      '#counted': minuteCountedName(minute),
    },
    ExpressionAttributeValues: {
      ':minute': minute,
      ':expires': epochSeconds(start) + keptMonths * 31 * secondsInDay,
      ':due': dueUsagePartition(shardOf(workspaceId, dueUsageShards)),
      ':settles': settlesAt(minute).toISOString(),
      ':recipients': recipients,
      ':counted': counted,
      ':room': limit - recipients,
    },
  };
  const settledIn = (month: Item) => Number(month.settled_through ?? 0);
  // A minute that is settled has given back what a try before may have taken in it.
  const isRefusedBy = (month: Item) => settledIn(month) >= minute;
  const { isMade, attributes } = await updateOnce(update, { mark: 'last_take', isRefusedBy });
  const used = Number(attributes.used ?? 0);
  if (isMade) return { ok: true, minute, used };
  return isRefusedBy(attributes) ? { settledThrough: settledIn(attributes) } : { ok: false, used };
}

/**
 * Gives back at once what the provider refused for certain. For the call that reserved it alone; what it does not give
 * back the settlement of the minute does.
 */
export async function giveBack(email: Email, minute: Minute, quota: Quota): Promise<void> {
  await closeSend(email.workspaceId, minute, email.id, null);
  await returnTo(email.workspaceId, minute, quota);
}

/** As `giveBack`, of the only attempt at an email, for which nobody was ever asked: nothing of it stays listed. */
export async function withdraw(email: Email, minute: Minute, quota: Quota): Promise<void> {
  await deleteSend(email.workspaceId, minute, email.id);
  await returnTo(email.workspaceId, minute, quota);
}

async function returnTo(workspaceId: string, minute: Minute, { recipients, counted }: Quota): Promise<void> {
  const date = dateOf(minute);
  const update = {
    Key: monthKey(workspaceId, date.slice(0, 7)),
    UpdateExpression: 'ADD used :recipients, #day :counted, #recipients :recipients, #counted :counted',
    ConditionExpression: 'attribute_exists(#recipients)',
    ExpressionAttributeNames: {
      '#day': daySentName(date),
      '#recipients': minuteRecipientsName(minute),
      '#counted': minuteCountedName(minute),
    },
    ExpressionAttributeValues: { ':recipients': -recipients, ':counted': -counted },
  };
  const isRefusedBy = (month: Item) => !(minuteRecipientsName(minute) in month);
  await updateOnce(update, { mark: 'last_return', isRefusedBy });
}

/** False when its condition fails. */
async function change(input: Omit<UpdateCommandInput, 'TableName'>): Promise<boolean> {
  return conditionHolds(() => contended(() => documents.send(new UpdateCommand({ ...input, TableName: tableName() }))));
}
