import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import {
  confirmLinkKey,
  dueConfirmationPartition,
  dueConfirmationShards,
  leaveLinkKey,
  leaveLinkOfKey,
} from '../table/keys.ts';
import { getItem, queryEach, type TransactionPart } from '../table/table.ts';
import { deletePart, putItem, upsertItem } from '../table/write.ts';

/** Who a confirmation link is for, by the request that it answers: so the link contains no address. */
export interface ConfirmLink {
  readonly workspaceId: string;
  readonly confirmationId: string;
  readonly email: string;
  readonly validUntil: Date;
  /** `return`: it allows confirmations again after the person declined them. */
  readonly purpose?: 'return' | undefined;
}

const record = z.object({
  email: z.string(),
  valid_until: z.string(),
  purpose: z.literal('return').optional(),
  expires_at: z.number(),
});

export const confirmLinkRules = {
  email: { erasure: 'keep', inExport: 'never', shown: 'never' },
  valid_until: internal,
  purpose: internal,
} as const satisfies FieldRules<z.input<typeof record>>;

/** How long an expired link is still recognised as expired: until 30 days after its request. */
const keptDays = 23;

/** Stores a link, or extends it: all rounds of a request have the same link. */
export async function putConfirmLink(link: ConfirmLink): Promise<void> {
  await putItem<z.input<typeof record>>(confirmLinkKey(link.workspaceId, link.confirmationId), {
    email: link.email,
    valid_until: link.validUntil.toISOString(),
    purpose: link.purpose,
    expires_at: epochSeconds(link.validUntil) + keptDays * secondsInDay,
  });
}

/** Null when there is none, or it expired long ago. DynamoDB deletes expired items up to days later. */
export async function findConfirmLink(
  workspaceId: string,
  confirmationId: string,
  now: Date,
): Promise<ConfirmLink | null> {
  const item = await getItem(confirmLinkKey(workspaceId, confirmationId));
  if (!item) return null;
  const { email, valid_until, purpose, expires_at } = record.parse(item);
  if (expires_at <= epochSeconds(now)) return null;
  return { workspaceId, confirmationId, email, validUntil: new Date(valid_until), ...(purpose && { purpose }) };
}

/** Deletes the last link of a sign-up: a part of a transaction. */
export const confirmLinkEnd = (workspaceId: string, confirmationId: string): TransactionPart =>
  deletePart<z.input<typeof record>>(confirmLinkKey(workspaceId, confirmationId));

/** People whose confirmation is due at `now`, oldest first: a few empty queries when there are none. */
export async function listDueConfirmations(
  now: Date,
  limitOfShard: number,
): Promise<{ workspaceId: string; email: string }[]> {
  const partitions = Array.from({ length: dueConfirmationShards }, (_, shard) => dueConfirmationPartition(shard));
  const query = { index: 'due', sort: { below: now.toISOString() }, limit: limitOfShard } as const;
  return (await queryEach(partitions, query)).map((item) => positionOf(String(item.due_sk)));
}

/** `<time>#<workspace>#<address>`; an address may hold a `#` itself. */
function positionOf(position: string): { workspaceId: string; email: string } {
  const [, workspaceId = '', ...rest] = position.split('#');
  return { workspaceId, email: rest.join('#') };
}

/** By address: the id of the person's link. */
interface OwnLinkRecord {
  readonly link_id: string;
}

/** By link: the person's address, or the alias after erasure. */
interface LeaveLinkRecord {
  readonly email: string;
}

/**
 * After erasure the link leads to the alias for good, and the item of the address is deleted: a person who comes back
 * gets another link.
 */
export const leaveLinkRules = {
  email: { erasure: 'keep', inExport: 'never', shown: 'never' },
} as const satisfies FieldRules<LeaveLinkRecord>;
export const ownLinkRules = {
  link_id: { erasure: 'remove', inExport: 'never', shown: 'never' },
} as const satisfies FieldRules<OwnLinkRecord>;

/**
 * The id of a person's unsubscribe link for a workspace; created by the first call and never changed. It is random, so
 * that knowing the address, the salt or the service secret does not help to guess it.
 */
export async function ensureLeaveLink(workspaceId: string, address: string): Promise<string> {
  const key = leaveLinkOfKey(workspaceId, address);
  const own = await getItem(key, 'eventual');
  if (own) return String(own.link_id);
  const linkId = randomBytes(16).toString('base64url');
  // Written first, so that every issued link works. If another process creates one concurrently, the first one is kept.
  await putItem<LeaveLinkRecord>(leaveLinkKey(workspaceId, linkId), { email: address });
  const stored = await upsertItem<OwnLinkRecord>(key, { setIfAbsent: { link_id: linkId } });
  return String(stored?.link_id);
}

/** The person of a link: their address, or their alias after erasure; null for an unknown link. */
export async function findLeaver(workspaceId: string, linkId: string): Promise<string | null> {
  const item = await getItem(leaveLinkKey(workspaceId, linkId));
  return item && String(item.email);
}
