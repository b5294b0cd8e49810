import { ServiceError } from '../../../contract/errors.ts';
import { hashBody } from '../../../domain/encoding/canonicalJson.ts';
import { idsFrom, timeOfId } from '../../../domain/token/identifier.ts';
import { findScheduledIds } from '../../../store/scheduled/scheduledEmails.ts';
import { type Claim, claim, noteRefused, type RefusedEmail, takeOver } from '../../../store/sending/claims.ts';
import { type AcceptedEmail, findEmails } from '../../../store/sending/emails.ts';
import { endOf, type HeldClaim, positionOf } from '../idempotency.ts';
import { waiting } from '../waiting.ts';
import { isWhole, placeOf } from './letter.ts';

/** What earlier calls under the key have done, email by email. */
interface Progress {
  /** What is out of each; null for those of which nothing is. */
  readonly known: readonly (AcceptedEmail | null)[];
  /** Places of those that are kept for later, or were. */
  readonly scheduled: ReadonlySet<number>;
  readonly refused: readonly RefusedEmail[];
  /** When a call before may have been lost with what it had reserved, in Unix milliseconds; 0 when there was none. */
  readonly lostAt: number;
}

/** A call that may send what is open of a batch; `done` when nothing is. */
export type BatchClaim = (HeldClaim | { readonly kind: 'done'; readonly emailId: string }) & Progress;

/** A batch that nobody has begun. */
export const unclaimedBatch = (firstId: string): BatchClaim => ({
  kind: 'none',
  emailId: firstId,
  known: [],
  scheduled: new Set(),
  refused: [],
  lostAt: 0,
});

/**
 * Claims the key for a batch whose ids follow `firstId`. `malformed` are the places of what is no email at all, which
 * nobody will send, and `timed` those of what goes out later.
 */
export async function claimBatch(
  workspaceId: string,
  key: string,
  {
    body,
    firstId,
    malformed,
    timed,
  }: {
    readonly body: readonly unknown[];
    readonly firstId: string;
    readonly malformed: ReadonlySet<number>;
    readonly timed: ReadonlySet<number>;
  },
  now: Date,
): Promise<BatchClaim> {
  const position = positionOf(workspaceId, key);
  const wanted = { emailId: firstId, bodyHash: hashBody(body), claimedAt: now.getTime(), inDoubt: [] };
  const standing = await claim(position, wanted, now);
  if (!standing) return { ...unclaimedBatch(firstId), kind: 'fresh', position, claim: wanted };
  if (standing.bodyHash !== wanted.bodyHash) throw new ServiceError('idempotency_key_reused');
  const { emailId, refused = [] } = standing;
  const ids = idsFrom(emailId, body.length);
  const later = ids.filter((_, index) => timed.has(index));
  // Records first: one that goes out in between is then found as an email.
  const records = await findScheduledIds(workspaceId, later);
  const known = await findEmails(workspaceId, ids);
  const scheduled = new Set([...timed].filter((index) => records.has(ids[index] ?? '') || known[index]));
  const left = new Set([...malformed, ...scheduled, ...refused.map(({ index }) => index)]);
  const open = known.flatMap((email, index) => (isWhole(email) || left.has(index) ? [] : index));
  // A retry that waits leaves the claim free: the first call's own time is in the id.
  const lostAt = Math.max(standing.claimedAt, timeOfId(emailId).getTime());
  const progress = { emailId, known, scheduled, refused, lostAt };
  if (open.length === 0) return { kind: 'done', ...progress };
  const sending = open.filter((index) => !timed.has(index));
  const own = await takeOver(position, standing, await doubtAfter(standing, known, sending, now), now);
  if (!own) throw waiting('working', 1);
  return { kind: 'resumed', position, claim: own, ...progress };
}

/**
 * Several emails were on their way at once, of each of them one envelope: the first that has no mark. What is only to be
 * kept for later may be done twice, and is waited for by nobody.
 */
async function doubtAfter(
  { claimedAt, inDoubt }: Claim,
  known: readonly (AcceptedEmail | null)[],
  open: readonly number[],
  now: Date,
): Promise<number[]> {
  if (open.length === 0) return [];
  const end = await endOf(claimedAt, now);
  if (end === 'not taken') return [];
  if (end === 'known') return [...inDoubt];
  const interrupted = open.map((index) => placeOf(index, known[index]?.messageIds.indexOf(undefined) ?? 0));
  return [...new Set([...inDoubt, ...interrupted])];
}

/** Keeps what is refused before the rest is sent, so that a later call under the key tells and does the same. */
export async function keepRefused(held: BatchClaim, refused: readonly RefusedEmail[]): Promise<void> {
  if (held.kind === 'none' || held.kind === 'done' || refused.length === held.refused.length) return;
  if (!(await noteRefused(held.position, held.claim, refused))) throw waiting('working', 1);
}
