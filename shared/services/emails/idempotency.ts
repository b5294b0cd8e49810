import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/email.ts';
import { hashBody } from '../../domain/encoding/canonicalJson.ts';
import type { Text } from '../../language/text.ts';
import { type Claim, claim, release, reopen, takeOver } from '../../store/sending/claims.ts';
import { getEmail } from '../../store/sending/emails.ts';
import { sentEmailOf } from './reply.ts';
import { SendFailure } from './sendFailure.ts';

/** How long a claim keeps others out while its call may still be at work. */
const claimSeconds = 60;

interface Position {
  readonly workspaceId: string;
  readonly keyHash: string;
}

/** A call that may send: without a key, with a fresh claim, or with the claim of a call that died. */
export type HeldClaim =
  | { readonly kind: 'none'; readonly emailId: string }
  | {
      readonly kind: 'fresh' | 'resumed';
      readonly emailId: string;
      readonly position: Position;
      readonly claim: Claim;
    };

type ClaimOutcome = HeldClaim | { readonly kind: 'taken'; readonly emailId: string };

const inFlight: Text = {
  en: 'A call with this Idempotency-Key is still in progress.',
  fr: 'Un appel avec cette Idempotency-Key est encore en cours.',
};

/** Claims the key for `emailId`, or tells what stands in the way: `taken` when that send is done and can be replayed. */
export async function claimKeyOf(
  workspaceId: string,
  key: string | undefined,
  body: SendEmailRequest,
  emailId: string,
  now: Date,
): Promise<ClaimOutcome> {
  if (key === undefined) return { kind: 'none', emailId };
  const position = { workspaceId, keyHash: createHash('sha256').update(key).digest('hex') };
  const wanted = { emailId, bodyHash: hashBody(body), claimedAt: now.getTime() };
  const standing = await claim(position, wanted, now);
  if (!standing) return { kind: 'fresh', emailId, position, claim: wanted };
  if (standing.bodyHash !== wanted.bodyHash) throw new ServiceError('idempotency_key_reused');
  const email = await getEmail(workspaceId, standing.emailId);
  if (email?.messageIds.every(Boolean)) return { kind: 'taken', emailId: standing.emailId };
  const freeAt = standing.claimedAt + claimSeconds * 1000;
  if (freeAt > now.getTime() || !(await takeOver(position, standing, now))) throw stillInFlight(freeAt, now);
  const claimedNow = { ...standing, claimedAt: now.getTime() };
  return { kind: 'resumed', emailId: standing.emailId, position, claim: claimedNow };
}

function stillInFlight(freeAt: number, now: Date): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000));
  return new ServiceError('conflict', { text: inFlight, details: { status: 'in_progress' }, retryAfterSeconds });
}

/** The answer of the earlier call, rebuilt from its email. */
export async function replayOf(
  workspaceId: string,
  emailId: string,
  body: SendEmailRequest,
): Promise<Output<typeof sendEmailRoute>> {
  const email = await getEmail(workspaceId, emailId);
  if (!email) throw new ServiceError('internal_error');
  return sentEmailOf(emailId, body, email.email.createdAt);
}

/**
 * What a failed call does with its claim: nothing went out, the key is free again; something did, the claim stays with
 * its email and may be taken over at once; unknown (or a fault of ours), it stays until it can be known.
 */
export async function freeClaim(held: HeldClaim, error: unknown): Promise<void> {
  if (held.kind === 'none' || !(error instanceof ServiceError) || error.code === 'internal_error') return;
  const extent = error instanceof SendFailure ? error.extent : 'nothing';
  if (extent === 'unknown') return;
  if (extent === 'partial' || held.kind === 'resumed') await reopen(held.position, held.claim);
  else await release(held.position, held.emailId);
}
