import * as z from 'zod';
import { isAlias } from '../../domain/person/erased.ts';
import type { Minute } from '../../domain/sending/settlement.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { readTogether } from '../table/batches.ts';
import {
  type AnyRules,
  type DomainNames,
  domainNames,
  erasedFields,
  type FieldRules,
  internal,
  type ShownNames,
  storedNames,
} from '../table/fieldRules.ts';
import { emailKey, emailPartition, emailsPartition, type Indexed } from '../table/keys.ts';
import { type Item, queryItems } from '../table/table.ts';
import { upsertItem } from '../table/write.ts';
import { outcomeOf, type RecipientOutcome } from './outcomes.ts';

const addresses = z.array(z.string());

/** The stored part of what the caller wrote. A new field must be optional. */
const contentRecord = z.object({
  from: z.string(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  subject: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
  template: z.object({ id: z.string(), version: z.number() }).optional(),
});
type ContentRecord = z.output<typeof contentRecord>;
export const contentShape = contentRecord.shape;
export type EmailContent = DomainNames<ContentRecord>;

/** In the order of display. */
export const contentRules = {
  from: { erasure: 'keep', inExport: 'whole', shown: 'in lists' },
  to: { erasure: 'keep', inExport: 'by code', shown: 'in lists' },
  cc: { erasure: 'keep', inExport: 'by code', shown: 'in lists' },
  bcc: { erasure: 'keep', inExport: 'by code', shown: 'in lists' },
  reply_to: { erasure: 'keep', inExport: 'never', shown: 'in lists' },
  subject: { erasure: 'empty', inExport: 'whole', shown: 'in lists' },
  tags: { erasure: 'empty', inExport: 'whole', shown: 'in lists' },
  template: { erasure: 'keep', inExport: 'never', shown: 'in details' },
} as const satisfies FieldRules<ContentRecord>;

/** The content of an email that the API shows, sent or scheduled; details include what lists show. */
export type ShownContent<Shown extends 'in lists' | 'in details'> = Pick<
  ContentRecord,
  ShownNames<typeof contentRules, Shown>
>;

export function shownContent<Shown extends 'in lists' | 'in details'>(
  content: EmailContent,
  shown: Shown,
): ShownContent<Shown> {
  const stored = storedNames<ContentRecord>(content);
  const names = Object.entries(contentRules).flatMap(([name, rule]) => (rule.shown === shown ? [name] : []));
  return Object.fromEntries(
    names.flatMap((name) => (name in stored ? [[name, stored[name as keyof ContentRecord]]] : [])),
  ) as ShownContent<Shown>;
}

const record = contentRecord.extend({
  workspace_id: z.string(),
  email_id: z.string(),
  envelopes: z.array(addresses),
  created_at: z.string(),
  expires_at: z.number(),
  kept_until: z.number().optional(),
  quota_exempt: z.boolean().optional(),
  scheduled_at: z.string().optional(),
});

/** The attributes of an email wherever it is stored: in an item of its own, or in a list of attempts. */
export type EmailAttributes = Readonly<z.output<typeof record>>;

/** An email of which SES accepted at least one envelope. */
export interface EmailRecord extends EmailAttributes, Indexed<'newest'> {
  /** For each accepted envelope: its message id, and the settlement bucket that counts it. */
  readonly [messageId: `message_id_${number}`]: string;
  readonly [paidBy: `paid_by_${number}`]: number;
}

export const emailRules = {
  ...contentRules,
  workspace_id: internal,
  email_id: { erasure: 'keep', inExport: 'by code', shown: 'in lists', as: 'id' },
  envelopes: { erasure: 'keep', inExport: 'by code', shown: 'in details', as: 'recipients' },
  created_at: { erasure: 'keep', inExport: 'whole', shown: 'in lists' },
  scheduled_at: { erasure: 'keep', inExport: 'never', shown: 'in lists' },
  kept_until: internal,
  quota_exempt: internal,
  'message_id_*': { erasure: 'keep', inExport: 'by code', shown: 'never' },
  'paid_by_*': internal,
} as const satisfies FieldRules<EmailRecord>;

/** A single email, whatever was accepted of it. */
export interface Email extends Readonly<EmailContent> {
  readonly workspaceId: string;
  readonly id: string;
  /** The recipients of each envelope. An envelope is one call of SES, 50 recipients at most. */
  readonly envelopes: readonly (readonly string[])[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** The scheduled time, if there was one; ISO 8601 UTC. */
  readonly scheduledAt?: string | undefined;
  /** When its records expire in the table, in Unix seconds. */
  readonly expiresAt: number;
  /** When its copy in the bucket expires; absent for an email that is not copied (shared/domain/sending/archive.ts). */
  readonly keptUntil?: number | undefined;
  /** True for the service's own mail (confirmations): it counts neither in the quota nor in the workspace's reputation. */
  readonly isQuotaExempt: boolean;
}

export function attributesOf({ id, isQuotaExempt, envelopes, ...email }: Email): EmailAttributes {
  return storedNames<EmailAttributes>({
    ...email,
    emailId: id,
    envelopes: envelopes.map((addresses) => [...addresses]),
    quotaExempt: isQuotaExempt || undefined,
  });
}

/**
 * The record of an email in which people were erased (replaced by their alias already): what was written to them alone
 * is removed.
 */
export function erasedEmail(item: Item, rules: AnyRules = emailRules): Item {
  const recipients = Array.isArray(item.envelopes) ? item.envelopes.flat() : [];
  const isErased = recipients.length > 0 && recipients.every((address) => isAlias(String(address)));
  return isErased ? erasedFields(rules, item) : item;
}

export function emailOf(item: Item): Email {
  const { emailId, quotaExempt = false, ...email } = domainNames(record.parse(item));
  return { ...email, id: emailId, isQuotaExempt: quotaExempt };
}

/** An email of which SES accepted at least one envelope, with each envelope's message id and settlement bucket. */
export interface AcceptedEmail {
  readonly email: Email;
  readonly messageIds: readonly (string | undefined)[];
  readonly paidBy: readonly (Minute | undefined)[];
}

export interface EmailWithOutcomes<Outcome = RecipientOutcome> extends AcceptedEmail {
  readonly outcomes: readonly Outcome[];
}

/** The email and its recipients' outcomes in one strongly consistent query. Null until an envelope was accepted. */
export const getEmail = (workspaceId: string, emailId: string): Promise<EmailWithOutcomes | null> =>
  readEmail(workspaceId, emailId, outcomeOf);

/** As `getEmail`, with outcomes in another form. */
export async function readEmail<Outcome>(
  workspaceId: string,
  emailId: string,
  read: (item: Item) => Outcome,
): Promise<EmailWithOutcomes<Outcome> | null> {
  return emailOfItems(await itemsOfEmail(workspaceId, emailId), read);
}

/** The email's own item and its outcomes, strongly consistent. */
export const itemsOfEmail = (workspaceId: string, emailId: string): Promise<Item[]> =>
  queryItems({ partition: emailPartition(workspaceId, emailId), consistency: 'strong' });

export const isEmailItem = (item: Item): boolean => item.sk === 'EMAIL';

/**
 * Whether the table has an email with all its outcomes. Of one that has expired, or that was accepted when its day had
 * been copied already, outcomes may be in the copy alone.
 */
export function isWhole(item: Item | undefined, now: Date): boolean {
  if (!item) return false;
  const keptUntil = item.kept_until === undefined ? undefined : Number(item.kept_until);
  return isWholeUntil({ expiresAt: Number(item.expires_at), keptUntil }, now);
}

/** The same of an email that the table has. */
export const isWholeUntil = ({ expiresAt, keptUntil }: Pick<Email, 'expiresAt' | 'keptUntil'>, now: Date): boolean =>
  keptUntil === undefined || (expiresAt < keptUntil && expiresAt > epochSeconds(now));

export function emailOfItems<Outcome>(
  items: readonly Item[],
  read: (item: Item) => Outcome,
): EmailWithOutcomes<Outcome> | null {
  const own = items.find(isEmailItem);
  return own ? { ...acceptedOf(own), outcomes: items.filter((item) => item !== own).map(read) } : null;
}

/** The email alone, strongly consistent. Concurrent requests share one call. */
export async function findEmail(workspaceId: string, emailId: string): Promise<AcceptedEmail | null> {
  const [item] = await readTogether([emailKey(workspaceId, emailId)]);
  return item ? acceptedOf(item) : null;
}

/** As `findEmail` for several emails: null for those of which nothing was accepted. */
export async function findEmails(workspaceId: string, ids: readonly string[]): Promise<(AcceptedEmail | null)[]> {
  const items = await readTogether(ids.map((id) => emailKey(workspaceId, id)));
  return items.map((item) => item && acceptedOf(item));
}

/**
 * The email when an acceptance of an envelope is reported. Concurrent requests share one call. The first read is
 * eventually consistent: mostly the envelope is already in it, and that is final. Otherwise it is read again, strongly
 * consistent.
 */
export async function findReported(
  workspaceId: string,
  emailId: string,
  envelope: number,
): Promise<AcceptedEmail | null> {
  const [item] = await readTogether([emailKey(workspaceId, emailId)], 'eventual');
  return item && messageIdName(envelope) in item ? acceptedOf(item) : findEmail(workspaceId, emailId);
}

export function acceptedOf(item: Item): AcceptedEmail {
  const email = emailOf(item);
  return {
    email,
    messageIds: email.envelopes.map((_, index) => item[messageIdName(index)] as string | undefined),
    paidBy: email.envelopes.map((_, index) => item[paidByName(index)] as Minute | undefined),
  };
}

export const messageIdName = (envelope: number) => `message_id_${envelope}` as const;
export const paidByName = (envelope: number) => `paid_by_${envelope}` as const;

/** The position of an email in every list that contains it; newer emails have greater ones. */
export const positionOf = ({ createdAt, id }: Pick<Email, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;

/**
 * Records that SES accepted an envelope, and the settlement bucket that counts it, in one write that creates the email
 * or adds to it. The first report wins; false when there was one. The bucket must be open (`isOpen`), or its settlement
 * gives the quota back all the same.
 */
export async function acceptEnvelope(
  email: Email,
  envelope: number,
  messageId: string,
  paidBy: Minute,
): Promise<boolean> {
  // What is to be copied is found by this list.
  const isListed = config('EMAIL_LIST') !== 'none' || email.keptUntil !== undefined;
  const listed = isListed ? { newest_pk: emailsPartition(email.workspaceId), newest_sk: positionOf(email) } : {};
  const accepted = await upsertItem<EmailRecord>(emailKey(email.workspaceId, email.id), {
    set: [attributesOf(email), listed, [messageIdName(envelope), messageId], [paidByName(envelope), paidBy]],
    if: [[messageIdName(envelope), 'absent']],
  });
  return accepted !== null;
}
