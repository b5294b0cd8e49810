import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import type { Minute } from '../../domain/sending/minute.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { DeleteCommand, PutCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { type Key, sendShards, sendsPartition } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { batchGet, documents, type Item, queryAll, tableName } from '../table/table.ts';
import { attributesOf, type Email, emailOf } from './email.ts';

/**
 * What began in a minute, listed so that its settlement finds it: the attempts at emails, whole, since nothing else
 * knows of them until the provider has accepted; and deliveries that were reported after their own minute.
 */
const attempt = {
  recipients: z.number(),
  counted: z.number(),
  envelopes: z.array(z.array(z.string())).default([]),
  quota_exempt: z.boolean().default(false),
};
const send = z.object({
  ...attempt,
  /** The holder's: `email`, or `batch` for a sheet of them; a later release may know others. */
  kind: z.string(),
  holder_id: z.string(),
  late_delivery: z.boolean().default(false),
  /** The attempts that a sheet lists, whole. */
  emails: z.array(z.object({ ...attempt, email_id: z.string() })).default([]),
});

export interface Send extends Quota {
  readonly kind: string;
  readonly id: string;
  readonly envelopes: readonly (readonly string[])[];
  readonly isQuotaExempt: boolean;
  readonly isLateDelivery: boolean;
}

export interface Quota {
  /** Recipients that the month's quota counts. */
  readonly recipients: number;
  /** Recipients that the reputation counts. */
  readonly counted: number;
}

/** As long as a queue (7 days) and then its dead-letter queue (14) can keep a word on it, and a day. */
const keptDays = 22;

/** Lists an attempt at an email in the minute on whose account it is made. */
export async function putSend(email: Email, { recipients, counted }: Quota, minute: Minute): Promise<void> {
  const fields = { ...attributesOf(email), email_expires_at: email.expiresAt, recipients, counted };
  await put(email.workspaceId, minute, email.id, email.id, fields);
}

/** What lists several attempts in one item: one is a third of a write unit in it, and a whole one by itself. */
export interface Sheet {
  readonly id: string;
  readonly attempts: readonly { readonly email: Email; readonly quota: Quota }[];
}

/** Lists the attempts at emails of a batch in the minute on whose account they are made. */
export async function putSheet(workspaceId: string, { id, attempts }: Sheet, minute: Minute): Promise<void> {
  const total = (name: keyof Quota) => attempts.reduce((sum, { quota }) => sum + quota[name], 0);
  await putItem(workspaceId, minute, id, sheetName(id), {
    // The release before knows no such kind, and leaves the minute to a later one.
    kind: 'batch',
    recipients: total('recipients'),
    counted: total('counted'),
    emails: attempts.map(({ email, quota }) => ({ ...attributesOf(email), ...quota })),
  });
}

const sheetName = (id: string): string => `SHEET#${id}`;

/** Lists a delivery in the minute of its report, which will count it. */
export async function putLateDelivery(
  workspaceId: string,
  emailId: string,
  address: string,
  minute: Minute,
): Promise<void> {
  await put(workspaceId, minute, emailId, `${emailId}#${address}`, {
    envelopes: [[address]],
    late_delivery: true,
    recipients: 0,
    counted: 0,
  });
}

const put = (workspaceId: string, minute: Minute, emailId: string, sk: string, fields: Item): Promise<void> =>
  putItem(workspaceId, minute, emailId, sk, { ...fields, kind: 'email' });

async function putItem(workspaceId: string, minute: Minute, holderId: string, sk: string, fields: Item): Promise<void> {
  const expires_at = epochSeconds(new Date(minute * 60_000)) + keptDays * secondsInDay;
  const pk = partitionOf(workspaceId, minute, holderId);
  const Item = { ...fields, pk, sk, holder_id: holderId, expires_at };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
}

/** The email of an attempt, strongly consistent; null when there was none in this minute. */
export async function findSend(
  workspaceId: string,
  minute: Minute,
  emailId: string,
  sheet?: string,
): Promise<Email | null> {
  if (sheet === undefined) return attemptsOf(await readSend(workspaceId, minute, emailId))[0] ?? null;
  const key = { pk: partitionOf(workspaceId, minute, sheet), sk: sheetName(sheet) };
  // The events of a batch come together, and are about one sheet.
  const [item] = await readTogether([key]);
  return attemptsOf(item ?? undefined).find(({ id }) => id === emailId) ?? null;
}

/** The emails of what is listed: several for a sheet; none for a late delivery. */
export function attemptsOf(item: Item | undefined): Email[] {
  if (!item || item.late_delivery) return [];
  if (Array.isArray(item.emails)) return item.emails.map((entry: Item) => emailOf(entry));
  return [emailOf({ ...item, expires_at: item.email_expires_at })];
}

async function readSend(workspaceId: string, minute: Minute, emailId: string): Promise<Item | undefined> {
  const [item] = await batchGet([keyOf(workspaceId, minute, emailId)], { consistent: true });
  return item;
}

/**
 * The minute of the latest attempt at an email, found from that of the first: each names the one that took over from it.
 * Null when its reservation is closed, or there is none.
 */
export async function latestAttempt(workspaceId: string, first: Minute, emailId: string): Promise<Minute | null> {
  let minute = first;
  for (;;) {
    const item = await readSend(workspaceId, minute, emailId);
    if (!item) return null;
    if (!item.closed) return minute;
    if (item.next_minute === undefined) return null;
    minute = item.next_minute as Minute;
  }
}

/**
 * Closes the reservation of an attempt before it is given back, or before a later attempt takes it over: nobody else
 * takes it over from then on. False when it is closed, or there is none.
 */
export async function closeSend(
  workspaceId: string,
  minute: Minute,
  emailId: string,
  next: Minute | null,
): Promise<boolean> {
  const closing = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf(workspaceId, minute, emailId),
    UpdateExpression: `SET closed = :true${next === null ? '' : ', next_minute = :next'}`,
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(closed)',
    ExpressionAttributeValues: { ':true': true, ...(next !== null && { ':next': next }) },
  });
  return conditionHolds(() => documents.send(closing));
}

/** Takes an attempt off the list of its minute: the provider was never asked for it. */
export async function deleteSend(workspaceId: string, minute: Minute, emailId: string): Promise<void> {
  await documents.send(new DeleteCommand({ TableName: tableName(), Key: keyOf(workspaceId, minute, emailId) }));
}

/** Everything that a minute lists, strongly consistent. */
export async function listSends(workspaceId: string, minute: Minute): Promise<Send[]> {
  const shards = await Promise.all(
    Array.from({ length: sendShards }, (_, shard) =>
      queryAll({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': sendsPartition(workspaceId, minute, shard) },
        ExpressionAttributeNames: { '#kind': 'kind' },
        ProjectionExpression: '#kind, holder_id, recipients, counted, envelopes, quota_exempt, late_delivery, emails',
        ConsistentRead: true,
      }),
    ),
  );
  const sends = shards.flat().flatMap((item) => sendsOf(send.parse(item)));
  // A batch that was called again within its minute has listed what was left of it twice.
  const listed = new Set<string>();
  return sends.filter(({ id, isLateDelivery }) => isLateDelivery || (!listed.has(id) && Boolean(listed.add(id))));
}

function sendsOf({ emails, late_delivery: isLateDelivery, ...own }: z.output<typeof send>): Send[] {
  const { kind, holder_id: id, quota_exempt: isQuotaExempt, ...fields } = own;
  if (kind !== 'batch') return [{ kind, id, isQuotaExempt, isLateDelivery, ...fields }];
  return emails.map(({ email_id, quota_exempt, ...attempt }) => ({
    kind: 'email',
    id: email_id,
    isQuotaExempt: quota_exempt,
    isLateDelivery: false,
    ...attempt,
  }));
}

const keyOf = (workspaceId: string, minute: Minute, emailId: string): Key => ({
  pk: partitionOf(workspaceId, minute, emailId),
  sk: emailId,
});

const partitionOf = (workspaceId: string, minute: Minute, id: string): string =>
  sendsPartition(workspaceId, minute, shardOf(id, sendShards));
