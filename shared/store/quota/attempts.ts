import * as z from 'zod';
import { shardOf } from '../../domain/encoding.ts';
import { countedRecipients } from '../../domain/sending/email.ts';
import type { Minute } from '../../domain/sending/settlement.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { attributesOf, type Email, type EmailAttributes, emailOf, emailRules, erasedEmail } from '../emails/email.ts';
import { readTogether } from '../table/batches.ts';
import { erasedFields, type FieldRules, internal } from '../table/fieldRules.ts';
import { type Key, sendShards, sendsPartition } from '../table/keys.ts';
import { getItem, type Item, queryAll } from '../table/table.ts';
import { changeItemOnce, putItem } from '../table/write.ts';

/**
 * An item in a settlement bucket: an attempt at an email, stored completely because no other record exists until SES
 * accepts it; or a delivery that was reported after its bucket was closed.
 */
interface Listed extends Quota {
  /** `email`, or `batch` for a list of attempts; a later release may add others. */
  readonly kind: 'email' | 'batch';
  /** The id of the email, or of the list. */
  readonly holder_id: string;
  readonly expires_at: number;
}

interface AttemptRecord extends Listed, EmailAttributes {
  readonly kind: 'email';
  /** When the email itself expires. */
  readonly email_expires_at: number;
  /** Its reservation was given back, or taken over by an attempt in another bucket. */
  readonly closed?: true;
  /** The process that closed it. */
  readonly closer?: string;
  readonly next_minute?: Minute;
}

interface AttemptListRecord extends Listed {
  readonly kind: 'batch';
  readonly emails: readonly (EmailAttributes & Quota)[];
}

interface LateDeliveryRecord extends Listed {
  readonly kind: 'email';
  readonly envelopes: readonly (readonly string[])[];
  readonly late_delivery: true;
}

type AnyListed = Omit<AttemptRecord, 'kind'> &
  Omit<AttemptListRecord, 'kind'> &
  Omit<LateDeliveryRecord, 'kind'> & { readonly kind: string };

/** For an attempt (alone or in a list), and for a late delivery. */
export const attemptRules = {
  ...emailRules,
  kind: internal,
  holder_id: internal,
  recipients: internal,
  counted: internal,
  email_expires_at: internal,
  closed: internal,
  closer: internal,
  next_minute: internal,
  emails: { erasure: 'keep', inExport: 'by code', shown: 'never' },
  late_delivery: internal,
} as const satisfies FieldRules<AnyListed>;

/** A listed item in which people were erased (already by their alias). */
export const erasedAttempt = (item: Item): Item =>
  Array.isArray(item.emails)
    ? {
        ...erasedFields(attemptRules, item),
        emails: item.emails.map((email: Item) => erasedEmail(email, attemptRules)),
      }
    : erasedEmail(item, attemptRules);

const attempt = {
  recipients: z.number(),
  counted: z.number(),
  envelopes: z.array(z.array(z.string())).default([]),
  quota_exempt: z.boolean().default(false),
};
const send = z.object({
  ...attempt,
  kind: z.string(),
  holder_id: z.string(),
  late_delivery: z.boolean().default(false),
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
  /** Recipients that count in the month's quota. */
  readonly recipients: number;
  /** Recipients that count in the reputation. */
  readonly counted: number;
}

/**
 * What these recipients of an email use of the month's quota (`recipients`) and of the day's sent (`counted`): nothing
 * for the service's own mail, which strangers can request and which is counted separately.
 */
export function quotaOf({ isQuotaExempt }: Pick<Email, 'isQuotaExempt'>, addresses: readonly string[]): Quota {
  if (isQuotaExempt) return { recipients: 0, counted: 0 };
  return { recipients: addresses.length, counted: countedRecipients(addresses) };
}

/** A report can be in a queue for 7 days, then in its dead-letter queue for 14; plus one day. */
const keptDays = 22;
const expiryOf = (minute: Minute): number => epochSeconds(new Date(minute * 60_000)) + keptDays * secondsInDay;

/** Stores an attempt at an email in the settlement bucket that reserves its quota. */
export async function putSend(email: Email, { recipients, counted }: Quota, minute: Minute): Promise<void> {
  await putItem<AttemptRecord>(keyOf(email.workspaceId, minute, email.id), {
    ...attributesOf(email),
    ...{ kind: 'email', holder_id: email.id, recipients, counted },
    ...{ email_expires_at: email.expiresAt, expires_at: expiryOf(minute) },
  });
}

/** Several attempts in one item: there each needs a third of a write unit, alone a whole one. */
export interface AttemptList {
  readonly id: string;
  readonly attempts: readonly { readonly email: Email; readonly quota: Quota }[];
}

/** Stores the attempts at a batch's emails in the settlement bucket that reserves their quota. */
export async function putAttemptList(workspaceId: string, list: AttemptList, minute: Minute): Promise<void> {
  const { id, attempts } = list;
  const total = (name: keyof Quota) => attempts.reduce((sum, { quota }) => sum + quota[name], 0);
  await putItem<AttemptListRecord>(listKeyOf(workspaceId, minute, id), {
    ...{ kind: 'batch', holder_id: id, recipients: total('recipients'), counted: total('counted') },
    emails: attempts.map(({ email, quota }) => ({ ...attributesOf(email), ...quota })),
    expires_at: expiryOf(minute),
  });
}

/** Stores a delivery in the settlement bucket of its report, which counts it. */
export async function putLateDelivery(
  workspaceId: string,
  emailId: string,
  address: string,
  minute: Minute,
): Promise<void> {
  const { pk } = keyOf(workspaceId, minute, emailId);
  await putItem<LateDeliveryRecord>(
    { pk, sk: `${emailId}#${address}` },
    {
      ...{ kind: 'email', holder_id: emailId, envelopes: [[address]], late_delivery: true },
      ...{ recipients: 0, counted: 0, expires_at: expiryOf(minute) },
    },
  );
}

/** The email of an attempt, strongly consistent; null when this bucket has none. */
export async function findSend(
  workspaceId: string,
  minute: Minute,
  emailId: string,
  list?: string,
): Promise<Email | null> {
  if (list === undefined) return attemptsOf(await getItem(keyOf(workspaceId, minute, emailId)))[0] ?? null;
  // Events of one batch arrive together and need the same list.
  const [item] = await readTogether([listKeyOf(workspaceId, minute, list)]);
  return attemptsOf(item ?? null).find(({ id }) => id === emailId) ?? null;
}

/** The emails of an item: several for a list of attempts, none for a late delivery. */
export function attemptsOf(item: Item | null): Email[] {
  if (!item || item.late_delivery) return [];
  if (Array.isArray(item.emails)) return item.emails.map((entry: Item) => emailOf(entry));
  return [emailOf({ ...item, expires_at: item.email_expires_at })];
}

/**
 * The settlement bucket of the latest attempt at an email, found from that of the first one: each attempt names the one
 * that took over from it. Null when its reservation is closed, or there is none.
 */
export async function latestAttempt(workspaceId: string, first: Minute, emailId: string): Promise<Minute | null> {
  let minute = first;
  for (;;) {
    const item = await getItem(keyOf(workspaceId, minute, emailId));
    if (!item) return null;
    if (!item.closed) return minute;
    if (item.next_minute === undefined) return null;
    minute = item.next_minute as Minute;
  }
}

/**
 * Closes the reservation of an attempt before it is given back or taken over by a later attempt: from then on no other
 * process can take it over. False when it is closed already, or there is none.
 */
export async function closeSend(
  workspaceId: string,
  minute: Minute,
  emailId: string,
  next: Minute | null,
): Promise<boolean> {
  const closing = { set: { closed: true, next_minute: next ?? undefined }, if: [['closed', 'absent']] } as const;
  return (await changeItemOnce<AttemptRecord>(keyOf(workspaceId, minute, emailId), closing, 'closer')) !== null;
}

const listedNames = Object.keys(send.shape).map((name) => [name]);

/** Everything in a settlement bucket, strongly consistent. */
export async function listSends(workspaceId: string, minute: Minute): Promise<Send[]> {
  const shards = await Promise.all(
    Array.from({ length: sendShards }, (_, shard) => {
      const partition = sendsPartition(workspaceId, minute, shard);
      return queryAll({ partition, attributes: listedNames, consistency: 'strong' });
    }),
  );
  const sends = shards.flat().flatMap((item) => sendsOf(send.parse(item)));
  // A batch that was called again within a minute has stored its rest twice.
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

/** The key of a list of attempts. */
const listKeyOf = (workspaceId: string, minute: Minute, id: string): Key => ({
  pk: partitionOf(workspaceId, minute, id),
  sk: `SHEET#${id}`,
});
