import { ServiceError } from '../../../contract/errors.ts';
import { hashBody } from '../../../domain/encoding/canonicalJson.ts';
import { idsFrom } from '../../../domain/token/identifier.ts';
import { type Claim, claim, noteRefused, type RefusedEmail, takeOver } from '../../../store/sending/claims.ts';
import { type AcceptedEmail, findEmails } from '../../../store/sending/emails.ts';
import { endOf, type HeldClaim, positionOf } from '../idempotency.ts';
import { waiting } from '../waiting.ts';
import { isWhole, placeOf } from './letter.ts';

/** What earlier calls under the key have done, email by email. */
interface Progress {
  /** What is out of each; null for those of which nothing is. */
  readonly known: readonly (AcceptedEmail | null)[];
  readonly refused: readonly RefusedEmail[];
}

/** A call that may send what is open of a batch; `done` when nothing is. */
export type BatchClaim = (HeldClaim | { readonly kind: 'done'; readonly emailId: string }) & Progress;

/** A batch that nobody has begun. */
export const unclaimedBatch = (firstId: string): BatchClaim => ({
  kind: 'none',
  emailId: firstId,
  known: [],
  refused: [],
});

/**
 * Claims the key for a batch whose ids follow `firstId`. `malformed` are the places of what is no email at all, which
 * nobody will send.
 */
export async function claimBatch(
  workspaceId: string,
  key: string,
  {
    body,
    firstId,
    malformed,
  }: { readonly body: readonly unknown[]; readonly firstId: string; readonly malformed: ReadonlySet<number> },
  now: Date,
): Promise<BatchClaim> {
  const position = positionOf(workspaceId, key);
  const wanted = { emailId: firstId, bodyHash: hashBody(body), claimedAt: now.getTime(), inDoubt: [] };
  const standing = await claim(position, wanted, now);
  if (!standing) return { ...unclaimedBatch(firstId), kind: 'fresh', position, claim: wanted };
  if (standing.bodyHash !== wanted.bodyHash) throw new ServiceError('idempotency_key_reused');
  const { emailId, refused = [] } = standing;
  const known = await findEmails(workspaceId, idsFrom(emailId, body.length));
  const left = new Set([...malformed, ...refused.map(({ index }) => index)]);
  if (known.every((email, index) => isWhole(email) || left.has(index)))
    return { kind: 'done', emailId, known, refused };
  const own = await takeOver(position, standing, await doubtAfter(standing, known, now), now);
  if (!own) throw waiting('working', 1);
  return { kind: 'resumed', emailId, position, claim: own, known, refused };
}

/** Several emails were on their way at once, of each of them one envelope: the first that has no mark. */
async function doubtAfter(
  { claimedAt, inDoubt }: Claim,
  known: readonly (AcceptedEmail | null)[],
  now: Date,
): Promise<number[]> {
  const end = await endOf(claimedAt, now);
  if (end === 'not taken') return [];
  if (end === 'known') return [...inDoubt];
  const interrupted = known.flatMap((email, index) => {
    const envelope = email ? email.messageIds.indexOf(undefined) : 0;
    return envelope < 0 ? [] : placeOf(index, envelope);
  });
  return [...new Set([...inDoubt, ...interrupted])];
}

/** Keeps what is refused before the rest is sent, so that a later call under the key tells and does the same. */
export async function keepRefused(held: BatchClaim, refused: readonly RefusedEmail[]): Promise<void> {
  if (held.kind === 'none' || held.kind === 'done' || refused.length === held.refused.length) return;
  if (!(await noteRefused(held.position, held.claim, refused))) throw waiting('working', 1);
}
