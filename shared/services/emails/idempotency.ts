import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/email/request.ts';
import { hashBody } from '../../domain/encoding/canonicalJson.ts';
import { silenceOf } from '../../domain/sending/silence.ts';
import { logger } from '../../platform/logger.ts';
import {
  type Claim,
  type ClaimPosition,
  claim,
  isHeld,
  release,
  reopen,
  takeOver,
} from '../../store/sending/claims.ts';
import { getEmail } from '../../store/sending/emails.ts';
import { getHeardUpTo } from '../../store/sending/heard.ts';
import { sentEmailOf } from './reply.ts';
import { SendFailure } from './sendFailure.ts';
import { waiting } from './waiting.ts';

/** A call that may send: without a key, with a fresh claim, or with the claim of an earlier call under the same key. */
export type HeldClaim =
  | { readonly kind: 'none'; readonly emailId: string }
  | {
      readonly kind: 'fresh' | 'resumed';
      readonly emailId: string;
      readonly position: ClaimPosition;
      readonly claim: Claim;
    };

type OwnClaim = Extract<HeldClaim, { position: unknown }>;
type ClaimOutcome = OwnClaim | { readonly kind: 'taken'; readonly emailId: string };

/** Claims the key for `emailId`, or tells what stands in the way: `taken` when that send is done and can be replayed. */
export async function claimKeyOf(
  workspaceId: string,
  key: string,
  body: object,
  emailId: string,
  now: Date,
): Promise<ClaimOutcome> {
  const position = positionOf(workspaceId, key);
  const wanted = { emailId, bodyHash: hashBody(body), claimedAt: now.getTime(), inDoubt: [] };
  const standing = await claim(position, wanted, now);
  if (!standing) return { kind: 'fresh', emailId, position, claim: wanted };
  if (standing.bodyHash !== wanted.bodyHash) throw new ServiceError('idempotency_key_reused');
  const messageIds = (await getEmail(workspaceId, standing.emailId))?.messageIds ?? [];
  if (messageIds.length > 0 && messageIds.every(Boolean)) return { kind: 'taken', emailId: standing.emailId };
  const inDoubt = await doubtAfter(standing, messageIds, now);
  const own = await takeOver(position, standing, inDoubt, now);
  if (!own) throw waiting('working', 1);
  return { kind: 'resumed', emailId: standing.emailId, position, claim: own };
}

export const positionOf = (workspaceId: string, key: string): ClaimPosition => ({
  workspaceId,
  keyHash: createHash('sha256').update(key).digest('hex'),
});

/**
 * Claims the key for an email that is only written down, which may be done twice: `standing` is the email of an earlier
 * call, which may have died before it was.
 */
export async function claimOnce(
  workspaceId: string,
  key: string,
  body: SendEmailRequest,
  emailId: string,
  now: Date,
): Promise<OwnClaim | { readonly kind: 'standing'; readonly emailId: string }> {
  const position = positionOf(workspaceId, key);
  const wanted = { emailId, bodyHash: hashBody(body), claimedAt: now.getTime(), inDoubt: [] };
  const standing = await claim(position, wanted, now);
  if (!standing) return { kind: 'fresh', emailId, position, claim: wanted };
  if (standing.bodyHash !== wanted.bodyHash) throw new ServiceError('idempotency_key_reused');
  return { kind: 'standing', emailId: standing.emailId };
}

/**
 * The envelopes of which nobody can say any more whether the earlier calls sent them. Throws `conflict` while one of
 * them may still be at work, or the provider's word on it may still come.
 */
async function doubtAfter(
  { claimedAt, inDoubt }: Claim,
  messageIds: readonly (string | undefined)[],
  now: Date,
): Promise<number[]> {
  const former = inDoubt.filter((envelope) => !messageIds[envelope]);
  const end = await endOf(claimedAt, now);
  if (end === 'known') return former;
  if (end === 'not taken') return [];
  // One envelope leaves after the other, each when the one before is marked: only the first unmarked one may be out.
  const interrupted = messageIds.includes(undefined) ? messageIds.indexOf(undefined) : 0;
  return [...new Set([...former, interrupted])];
}

/**
 * How the call that held a claim before has ended: with all that it did on disk (`known`), with something on its way that
 * the provider did not take, or may have taken and nobody will say (`given up`). Throws `conflict` while it may still be
 * at work, or the provider's word on it may still come.
 */
export async function endOf(claimedAt: number, now: Date): Promise<'known' | 'not taken' | 'given up'> {
  if (claimedAt === 0) return 'known';
  const unheard = silenceOf(claimedAt, null, now.getTime());
  const silence = unheard.kind === 'working' ? unheard : silenceOf(claimedAt, await getHeardUpTo(), now.getTime());
  if (silence.kind === 'not taken' || silence.kind === 'given up') return silence.kind;
  throw waiting(silence.kind, silence.retryAfterSeconds);
}

/** False when another call has taken the key over. */
export const isStillOurs = async (held: HeldClaim): Promise<boolean> =>
  held.kind === 'none' || isHeld(held.position, held.claim);

/** The answer of the earlier call, rebuilt from its email. */
export async function replayOf(
  workspaceId: string,
  emailId: string,
  body: SendEmailRequest,
): Promise<Output<typeof sendEmailRoute>> {
  const email = await getEmail(workspaceId, emailId);
  if (!email) throw new ServiceError('internal_error');
  // The subject may be a template's, which may say something else by now.
  const subject = body.subject ?? email.email.subject;
  return sentEmailOf(emailId, { ...body, subject }, email.email.createdAt);
}

/** A refusal frees the Idempotency-Key, so that the call can be corrected; what may have gone out keeps it. */
export async function whileHolding<T>(claim: HeldClaim, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    await freeClaim(claim, error);
    throw error;
  }
}

/**
 * What a failed call does with its claim. When all that it did is known, the key is free at once: to be corrected, if
 * nothing went out under it, or to go on. When something may be out, the claim stays until that can be known.
 */
async function freeClaim(held: HeldClaim, error: unknown): Promise<void> {
  if (held.kind === 'none') return;
  const failure = error instanceof SendFailure ? error : null;
  if (failure?.isOpenEnded) return;
  const isUntouched = held.kind === 'fresh' && (failure === null || failure.extent === 'nothing');
  try {
    await (isUntouched ? release(held.position, held.claim) : reopen(held.position, held.claim, held.claim.inDoubt));
  } catch (cause) {
    logger.error('An Idempotency-Key could not be freed; it frees itself.', cause as Error);
  }
}
