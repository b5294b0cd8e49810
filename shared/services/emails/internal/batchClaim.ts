import { idsFrom, timeOfId } from '../../../domain/identifier.ts';
import { type AcceptedEmail, findEmails } from '../../../store/emails/email.ts';
import { type Claim, noteRefused, type RefusedEmail, takeOver } from '../../../store/emails/idempotencyClaims.ts';
import { findScheduledIds } from '../../../store/emails/scheduledEmails.ts';
import { claimUnlessExisting, outcomeOfCall, type SendClaim } from '../idempotency.ts';
import { tryLater } from '../sendFailure.ts';
import { isSentWhole } from './batchChecks.ts';

/** What earlier calls under the key have done, by position in the batch. */
interface BatchProgress {
  /** What was sent of each email; null for nothing. */
  readonly known: readonly (AcceptedEmail | null)[];
  /** Positions of emails that are or were scheduled, or that wait for SES's rate. */
  readonly scheduled: ReadonlySet<number>;
  readonly refused: readonly RefusedEmail[];
  /** When an earlier call may have crashed with quota that it had reserved, in Unix milliseconds; 0 for the first call. */
  readonly lostAt: number;
}

/** A call that may send the rest of a batch; `done` when nothing is left. */
export type BatchClaim = (SendClaim | { readonly kind: 'done'; readonly emailId: string }) & BatchProgress;

/** A batch without earlier calls. `firstId` is the id of its first email, from which the others follow. */
export const newBatch = (firstId: string): BatchClaim => ({
  kind: 'none',
  emailId: firstId,
  known: [],
  scheduled: new Set(),
  refused: [],
  lostAt: 0,
});

/** Claims the key for a batch. `malformed` are the positions of invalid emails, `timed` those of scheduled ones. */
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
  const result = await claimUnlessExisting(workspaceId, key, body, firstId, now);
  if (result.kind === 'fresh') return { ...newBatch(firstId), ...result };
  const { position, existing } = result;
  const { emailId, refused = [] } = existing;
  const ids = idsFrom(emailId, body.length);
  // Records of scheduled and kept emails first: one that is sent in between is then found as an email.
  const records = await findScheduledIds(workspaceId, ids);
  const known = await findEmails(workspaceId, ids);
  const isScheduled = (id: string, index: number) => records.has(id) || (timed.has(index) && known[index]);
  const scheduled = new Set(ids.flatMap((id, index) => (isScheduled(id, index) ? [index] : [])));
  const decided = new Set([...malformed, ...scheduled, ...refused.map(({ index }) => index)]);
  const open = known.flatMap((email, index) => (isSentWhole(email) || decided.has(index) ? [] : index));
  // A retry that had to wait has freed the claim; the id contains the time of the first call.
  const lostAt = Math.max(existing.claimedAt, timeOfId(emailId).getTime());
  const progress = { emailId, known, scheduled, refused, lostAt };
  if (open.length === 0) return { kind: 'done', ...progress };
  const sending = open.filter((index) => !timed.has(index));
  const own = await takeOver(position, existing, await envelopesInDoubt(existing, known, sending, now), now);
  if (!own) throw tryLater('working', 1);
  return { kind: 'resumed', position, claim: own, ...progress };
}

/**
 * Batch positions of envelopes that earlier calls may have sent: of each open email the first unrecorded one. Emails that
 * are only scheduled are not waited for, since storing them is idempotent.
 */
async function envelopesInDoubt(
  { claimedAt, inDoubt }: Claim,
  known: readonly (AcceptedEmail | null)[],
  open: readonly number[],
  now: Date,
): Promise<number[]> {
  if (open.length === 0) return [];
  const outcome = await outcomeOfCall(claimedAt, now);
  if (outcome === 'not taken') return [];
  if (outcome === 'known') return [...inDoubt];
  const interrupted = open.map((index) => batchPositionOf(index, known[index]?.messageIds.indexOf(undefined) ?? 0));
  return [...new Set([...inDoubt, ...interrupted])];
}

/** An email has at most 150 recipients, 50 per envelope; one position is spare. */
const envelopesPerEmail = 4;

/** The position of an envelope among all of its batch, as the claim stores those in doubt. */
const batchPositionOf = (index: number, envelope: number): number => index * envelopesPerEmail + envelope;

/** The envelopes of one email among positions of its batch. */
export const envelopesAt = (index: number, positions: readonly number[]): number[] =>
  positions
    .filter((position) => Math.floor(position / envelopesPerEmail) === index)
    .map((position) => position % envelopesPerEmail);

/** Stores refusals before anything is sent, so that a retry under the key refuses the same emails. */
export async function storeRefused(held: BatchClaim, refused: readonly RefusedEmail[]): Promise<void> {
  if (held.kind === 'none' || held.kind === 'done' || refused.length === held.refused.length) return;
  if (!(await noteRefused(held.position, held.claim, refused))) throw tryLater('working', 1);
}
