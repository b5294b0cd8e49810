import { addressKey } from '../../domain/address/address.ts';
import { dateOf, type Minute, settlesAt } from '../../domain/sending/minute.ts';
import { emailKey, type Key, monthKey, recipientKey } from '../table/keys.ts';
import { batchGet, type Item, type TransactionPart, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import type { Email } from './email.ts';
import { paidByName } from './emails.ts';
import { countNames, countOf, type DeliveryCount } from './outcomes.ts';
import type { Quota, Send } from './sends.ts';
import {
  dayDeliveredName,
  daySentName,
  latestSettlement,
  type MonthUsage,
  minuteCountedName,
  minuteRecipientsName,
} from './usage.ts';

/** What a minute keeps when it is settled, and what was delivered of what it lists. */
export interface Kept extends Quota {
  readonly delivered: number;
}

/**
 * Settles the oldest minute of a month: what it took and does not keep is given back, and its deliveries are counted, in
 * one write at `now`. False when the month changed in a way that matters since it was read: it is to be read again.
 */
export async function settleMinute(usage: MonthUsage, kept: Kept, now: Date): Promise<boolean> {
  const [settled, next] = usage.minutes;
  if (!settled) return false;
  const { minute } = settled;
  const date = dateOf(minute);
  const update: TransactionPart = {
    Update: {
      TableName: tableName(),
      Key: monthKey(usage.workspaceId, usage.month),
      UpdateExpression: next
        ? 'SET settled_through = :minute, due_sk = :next REMOVE #recipients, #counted ADD used :recipients, #day :counted, #delivered :delivered'
        : 'SET settled_through = :minute REMOVE #recipients, #counted, due_pk, due_sk ADD used :recipients, #day :counted, #delivered :delivered',
      // A minute that is new since the reading would be left without its time in the index: `last_minute` tells of it.
      ConditionExpression: `#recipients = :took AND #counted = :tookCounted${next ? '' : ' AND last_minute = :last'}`,
      ExpressionAttributeNames: {
        '#recipients': minuteRecipientsName(minute),
        '#counted': minuteCountedName(minute),
        '#day': daySentName(date),
        '#delivered': dayDeliveredName(date),
      },
      ExpressionAttributeValues: {
        ':minute': minute,
        ...(next ? { ':next': nextSettlement(next.minute, now).toISOString() } : { ':last': usage.lastMinute }),
        ':took': settled.recipients,
        ':tookCounted': settled.counted,
        ':recipients': kept.recipients - settled.recipients,
        ':counted': kept.counted - settled.counted,
        ':delivered': kept.delivered,
      },
    },
  };
  return (await transact([update])) === null;
}

/** A minute that a clock ahead of the others has opened must not put off those that come before it. */
function nextSettlement(minute: Minute, now: Date): Date {
  return new Date(Math.min(settlesAt(minute).getTime(), latestSettlement(now).getTime()));
}

/**
 * What became of what a minute lists: by the holder's id, the envelopes that were accepted on its account; and how many
 * of the recipients have a delivery that it counts. A delivery that was reported in time proves that its envelope was
 * accepted in this minute's attempt, whose name the message bears: mostly nothing else has to be read.
 */
export async function readSettled(
  workspaceId: string,
  minute: Minute,
  sends: readonly Send[],
): Promise<{ readonly paid: ReadonlyMap<string, readonly number[]>; readonly delivered: number }> {
  const attempts = sends.filter(({ isLateDelivery }) => !isLateDelivery);
  const counts = await readCounts(
    workspaceId,
    sends.flatMap(({ id, envelopes }) => envelopes.flat().map((address) => ({ id, address }))),
  );
  const isProven = (id: string, envelope: readonly string[]) =>
    envelope.some((address) => proves(counts.get(nameOf(outcomeKey(workspaceId, id, address))), minute));
  const unproven = attempts.filter(({ id, envelopes }) => !envelopes.every((envelope) => isProven(id, envelope)));
  const noted = await readPayers(workspaceId, unproven);
  const paid = attempts.map(({ id, envelopes }): [string, number[]] => [
    id,
    [...envelopes.keys()].filter((index) => isProven(id, envelopes[index] ?? []) || noted(id, index) === minute),
  ]);
  const delivered = [...counts.values()].filter((count) => count?.minute === minute).length;
  return { paid: new Map(paid), delivered };
}

const proves = (count: DeliveryCount | null | undefined, minute: Minute): boolean =>
  count?.minute === minute && !count.isLate;

/** Whether the settlement of a minute that is no longer open takes an envelope for accepted on its account, by a delivery. */
export async function isProvenIn(minute: Minute, { workspaceId, id, envelopes }: Email, envelope: number) {
  const recipients = (envelopes[envelope] ?? []).map((address) => ({ id, address }));
  return [...(await readCounts(workspaceId, recipients)).values()].some((count) => proves(count, minute));
}

const outcomeKey = (workspaceId: string, id: string, address: string): Key =>
  recipientKey(workspaceId, id, addressKey(address));

/** By the name of the outcome's key. */
async function readCounts(
  workspaceId: string,
  recipients: readonly { readonly id: string; readonly address: string }[],
): Promise<Map<string, DeliveryCount | null>> {
  const keys = new Map(
    recipients
      .map(({ id, address }) => outcomeKey(workspaceId, id, address))
      .map((key): [string, Key] => [nameOf(key), key]),
  );
  const items = await readFinished([...keys.values()], countNames, (item) => countOf(item) !== null);
  return new Map([...items].map(([name, item]) => [name, countOf(item)]));
}

/** On the account of which minute the envelopes of these were accepted, as was noted when they were. */
async function readPayers(workspaceId: string, sends: readonly Send[]) {
  const envelopesOf = new Map(sends.map(({ id, envelopes }) => [emailKey(workspaceId, id).pk, [...envelopes.keys()]]));
  const longest = Math.max(0, ...sends.map(({ envelopes }) => envelopes.length));
  const items = await readFinished(
    sends.map(({ id }) => emailKey(workspaceId, id)),
    Array.from({ length: longest }, (_, index) => paidByName(index)),
    (item) => envelopesOf.get(String(item.pk))?.every((index) => paidByName(index) in item) ?? false,
  );
  return (id: string, envelope: number) => items.get(nameOf(emailKey(workspaceId, id)))?.[paidByName(envelope)];
}

/** Eventually consistent first, at half the price: what is finished then is so for good, and the rest is read again. */
async function readFinished(
  keys: readonly Key[],
  names: readonly string[],
  isFinished: (item: Item) => boolean,
): Promise<Map<string, Item>> {
  const attributes = ['pk', 'sk', ...names].map((name) => [name]);
  const read = async (wanted: readonly Key[], consistent: boolean) => {
    const items = await batchGet(wanted, { consistent, attributes });
    return items.map((item) => [nameOf({ pk: String(item.pk), sk: String(item.sk) }), item] as const);
  };
  const finished = new Map((await read(keys, false)).filter(([, item]) => isFinished(item)));
  const rest = await read(
    keys.filter((key) => !finished.has(nameOf(key))),
    true,
  );
  return new Map([...finished, ...rest]);
}

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
