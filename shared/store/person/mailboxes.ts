import * as z from 'zod';
import { mailboxOf } from '../../domain/address.ts';
import { addressHash } from '../../domain/person/erased.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { ensureSalt, readSalt } from '../suppression/platformSuppression.ts';
import { type Key, mailboxKey } from '../table/keys.ts';
import { getItem, type TransactionPart } from '../table/table.ts';
import { deletePart, putPart } from '../table/write.ts';

const record = z.object({
  version: z.number(),
  unanswered: z.number().default(0),
  /** Until when the count is valid, in Unix seconds: DynamoDB deletes expired items days later. */
  counted_until: z.number().default(0),
  blocked_at: z.string().optional(),
  expires_at: z.number().optional(),
});

type MailboxRecord = z.input<typeof record>;

/** What a workspace knows of a mailbox, with all of its plus-tags. The item contains no address. */
export interface MailboxHistory {
  readonly key: Key;
  /** 0 when nothing is stored. */
  readonly version: number;
  /** Confirmations that were sent and not answered. */
  readonly unanswered: number;
  /** When its owner said that a confirmation was not for them. ISO 8601 UTC. */
  readonly blockedAt: string | null;
}

/** The keyed hash of a mailbox: the address cannot be derived from it. */
export const mailboxHash = async (address: string): Promise<string> =>
  addressHash((await readSalt()) ?? (await ensureSalt()), mailboxOf(address));

/** Strongly consistent: one read unit. */
export async function getMailbox(workspaceId: string, address: string, now: Date): Promise<MailboxHistory> {
  const key = mailboxKey(workspaceId, await mailboxHash(address));
  const item = await getItem(key);
  if (!item) return { key, version: 0, unanswered: 0, blockedAt: null };
  const { version, unanswered, counted_until, blocked_at = null } = record.parse(item);
  const isCounted = counted_until > epochSeconds(now);
  return { key, version, unanswered: isCounted ? unanswered : 0, blockedAt: blocked_at };
}

/**
 * Writes the history unless it has changed since it was read: a part of a transaction. `countedUntil`: until when the
 * count is valid.
 */
export function mailboxPart(
  { key, version, ...before }: MailboxHistory,
  changes: Partial<Pick<MailboxHistory, 'unanswered' | 'blockedAt'>>,
  countedUntil: Date,
): TransactionPart[] {
  const { unanswered, blockedAt } = { ...before, ...changes };
  const unchanged = version === 0 ? { if: [['pk', 'absent'] as const] } : { expect: { version } };
  if (unanswered === 0 && blockedAt === null) return version === 0 ? [] : [deletePart<MailboxRecord>(key, unchanged)];
  const until = epochSeconds(countedUntil);
  const stored: MailboxRecord = {
    version: version + 1,
    ...(unanswered > 0 && { unanswered, counted_until: until }),
    // A block is kept until the owner lifts it.
    ...(blockedAt === null ? { expires_at: until } : { blocked_at: blockedAt }),
  };
  return [putPart<MailboxRecord>(key, stored, unchanged)];
}
