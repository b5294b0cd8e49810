import { addressKey } from '../../domain/address.ts';
import { dateOf, isOpen, type Minute, settlesAt } from '../../domain/sending/settlement.ts';
import { acceptEnvelope, type Email, paidByName } from '../emails/email.ts';
import { countNames, countOf, type DeliveryCount } from '../emails/outcomes.ts';
import { batchGet, nameOfKey } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import { emailKey, type Key, monthKey, recipientKey } from '../table/keys.ts';
import { type Item, keyOfItem } from '../table/table.ts';
import { changeItem } from '../table/write.ts';
import { type Quota, quotaOf, type Send } from './attempts.ts';
import {
  dayDeliveredName,
  daySentName,
  latestSettlement,
  type MonthRecord,
  type MonthUsage,
  minuteCountedName,
  minuteRecipientsName,
} from './months.ts';
import { reserve } from './reservations.ts';

/** The quota that a settlement bucket keeps when it is settled, and its number of deliveries. */
export interface Kept extends Quota {
  readonly delivered: number;
}

/**
 * Settles the oldest bucket of a month: unused reservations are given back and deliveries are counted, in one write at
 * `now`. False when the month has changed in a relevant way since it was read: read it again.
 */
export async function settleMinute(usage: MonthUsage, kept: Kept, now: Date): Promise<boolean> {
  const [settled, next] = usage.minutes;
  if (!settled) return false;
  const { minute } = settled;
  const date = dateOf(minute);
  const change: Change<MonthRecord> = {
    set: { settled_through: minute, due_sk: next && nextSettlement(next.minute, now).toISOString() },
    remove: [minuteRecipientsName(minute), minuteCountedName(minute), ...(next ? [] : (['due_pk', 'due_sk'] as const))],
    add: [
      ['used', kept.recipients - settled.recipients],
      [daySentName(date), kept.counted - settled.counted],
      [dayDeliveredName(date), kept.delivered],
    ],
    if: [
      [minuteRecipientsName(minute), '=', settled.recipients],
      [minuteCountedName(minute), '=', settled.counted],
    ],
    // A bucket that was opened since the read would be missing in the index.
    ...(!next && { expect: { last_minute: usage.lastMinute } }),
  };
  return (await changeItem<MonthRecord>(monthKey(usage.workspaceId, usage.month), change)) !== null;
}

/** A bucket that a process with a fast clock has opened must not delay those before it. */
function nextSettlement(minute: Minute, now: Date): Date {
  return new Date(Math.min(settlesAt(minute).getTime(), latestSettlement(now).getTime()));
}

/**
 * The results of a bucket's attempts: by email, the envelopes that were accepted in this bucket, and how many of its
 * deliveries it counts. A delivery that was reported in time proves that its envelope was accepted in this bucket,
 * which the message names: then mostly nothing else needs to be read.
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
    envelope.some((address) => proves(counts.get(nameOfKey(outcomeKey(workspaceId, id, address))), minute));
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

/** Whether a delivery proves that an envelope was accepted in a closed bucket. */
async function isProvenIn(minute: Minute, { workspaceId, id, envelopes }: Email, envelope: number) {
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
      .map((key): [string, Key] => [nameOfKey(key), key]),
  );
  const items = await readFinished([...keys.values()], countNames, (item) => countOf(item) !== null);
  return new Map([...items].map(([name, item]) => [name, countOf(item)]));
}

/** The settlement buckets in which the envelopes of these emails were accepted. */
async function readPayers(workspaceId: string, sends: readonly Send[]) {
  const envelopesOf = new Map(sends.map(({ id, envelopes }) => [emailKey(workspaceId, id).pk, [...envelopes.keys()]]));
  const longest = Math.max(0, ...sends.map(({ envelopes }) => envelopes.length));
  const items = await readFinished(
    sends.map(({ id }) => emailKey(workspaceId, id)),
    Array.from({ length: longest }, (_, index) => paidByName(index)),
    (item) => envelopesOf.get(String(item.pk))?.every((index) => paidByName(index) in item) ?? false,
  );
  return (id: string, envelope: number) => items.get(nameOfKey(emailKey(workspaceId, id)))?.[paidByName(envelope)];
}

/** Eventually consistent first, at half the price: final results stay final, and the rest is read again. */
async function readFinished(
  keys: readonly Key[],
  names: readonly string[],
  isFinished: (item: Item) => boolean,
): Promise<Map<string, Item>> {
  const attributes = ['pk', 'sk', ...names].map((name) => [name]);
  const read = async (unread: readonly Key[], consistent: boolean) => {
    const items = await batchGet(unread, { consistent, attributes });
    return items.map((item) => [nameOfKey(keyOfItem(item)), item] as const);
  };
  const finished = new Map((await read(keys, false)).filter(([, item]) => isFinished(item)));
  const rest = await read(
    keys.filter((key) => !finished.has(nameOfKey(key))),
    true,
  );
  return new Map([...finished, ...rest]);
}

/**
 * Records that SES accepted an envelope, so that the email exists and its recipients stay counted. `minute` is the
 * settlement bucket of the attempt. When that bucket is closed the envelope is counted again, even above the quota,
 * since the message was sent; unless a delivery reported in time kept it counted. Idempotent; false when it was
 * recorded before.
 */
export async function recordAcceptance(
  email: Email,
  envelope: number,
  messageId: string,
  minute: Minute,
  at: Date,
): Promise<boolean> {
  const isCounted = isOpen(minute, at) || (await isProvenIn(minute, email, envelope));
  if (isCounted) return acceptEnvelope(email, envelope, messageId, minute);
  const addresses = email.envelopes[envelope] ?? [];
  const reserved = await reserve(email, quotaOf(email, addresses), Number.MAX_SAFE_INTEGER, at, 'only');
  if (!reserved.ok) throw new Error('A reservation without a limit was refused.');
  return acceptEnvelope(email, envelope, messageId, reserved.minute);
}
