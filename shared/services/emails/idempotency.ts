import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { SendEmailRequest } from '../../contract/schemas/emailRequest.ts';
import { hashBody } from '../../domain/encoding.ts';
import { unansweredSend } from '../../domain/sending/settlement.ts';
import { logger } from '../../platform/logger.ts';
import { getEmail } from '../../store/emails/email.ts';
import {
  type Claim,
  type ClaimPosition,
  claim,
  isHeld,
  release,
  reopen,
  takeOver,
} from '../../store/emails/idempotencyClaims.ts';
import { getScheduled } from '../../store/emails/scheduledEmails.ts';
import { getEmailWatermark } from '../../store/feedbackWatermarks.ts';
import { isDrained } from '../feedbackQueues.ts';
import { publicErrorOf, SendFailure, tryLater } from './sendFailure.ts';

/** A call that may send: without a key, with a fresh claim, or with the claim of an earlier call under the same key. */
export type SendClaim =
  | { readonly kind: 'none'; readonly emailId: string }
  | {
      readonly kind: 'fresh' | 'resumed';
      readonly emailId: string;
      readonly position: ClaimPosition;
      readonly claim: Claim;
    };

type KeyClaim = Extract<SendClaim, { position: unknown }>;

/**
 * Claims an Idempotency-Key for `emailId`. `taken`: an earlier call has sent or kept the email: its result can be replayed.
 * Throws `idempotency_key_reused` for another body, and `conflict` while an earlier call may still be sending.
 */
export async function claimKeyOf(
  workspaceId: string,
  key: string,
  body: object,
  emailId: string,
  now: Date,
): Promise<KeyClaim | { readonly kind: 'taken'; readonly emailId: string }> {
  const result = await claimUnlessExisting(workspaceId, key, body, emailId, now);
  if (result.kind === 'fresh') return result;
  const { position, existing } = result;
  const messageIds = (await getEmail(workspaceId, existing.emailId))?.messageIds ?? [];
  if (messageIds.length > 0 && messageIds.every(Boolean)) return { kind: 'taken', emailId: existing.emailId };
  // One that is sent between these two reads is found as sent once its key is taken over.
  if (await getScheduled({ workspaceId, id: existing.emailId })) return { kind: 'taken', emailId: existing.emailId };
  const inDoubt = await envelopesInDoubt(existing, messageIds, now);
  const own = await takeOver(position, existing, inDoubt, now);
  if (!own) throw tryLater('working', 1);
  return { kind: 'resumed', emailId: existing.emailId, position, claim: own };
}

/**
 * Claims an Idempotency-Key for an email that is only stored, which is idempotent. `existing`: an earlier call has claimed
 * the key and may have crashed before it stored its email.
 */
export async function claimOnce(
  workspaceId: string,
  key: string,
  body: SendEmailRequest,
  emailId: string,
  now: Date,
): Promise<KeyClaim | { readonly kind: 'existing'; readonly emailId: string }> {
  const result = await claimUnlessExisting(workspaceId, key, body, emailId, now);
  return result.kind === 'fresh' ? result : { kind: 'existing', emailId: result.existing.emailId };
}

/** The first step under each key. Throws `idempotency_key_reused` when the earlier call had another body. */
export async function claimUnlessExisting(
  workspaceId: string,
  key: string,
  body: object,
  emailId: string,
  now: Date,
): Promise<
  | (KeyClaim & { readonly kind: 'fresh' })
  | { readonly kind: 'existing'; readonly position: ClaimPosition; readonly existing: Claim }
> {
  const position = { workspaceId, keyHash: createHash('sha256').update(key).digest('hex') };
  const own = { emailId, bodyHash: hashBody(body), claimedAt: now.getTime(), inDoubt: [] };
  const existing = await claim(position, own, now);
  if (!existing) return { kind: 'fresh', emailId, position, claim: own };
  if (existing.bodyHash !== own.bodyHash) throw new ServiceError('idempotency_key_reused');
  return { kind: 'existing', position, existing };
}

/** The envelopes that earlier calls may have sent and for which no event will arrive any more. */
async function envelopesInDoubt(
  { claimedAt, inDoubt }: Claim,
  messageIds: readonly (string | undefined)[],
  now: Date,
): Promise<number[]> {
  const earlier = inDoubt.filter((envelope) => !messageIds[envelope]);
  const outcome = await outcomeOfCall(claimedAt, now);
  if (outcome === 'known') return earlier;
  if (outcome === 'not taken') return [];
  // Envelopes are sent one by one, each after the previous one was recorded: only the first unrecorded one may have
  // been sent.
  const interrupted = messageIds.includes(undefined) ? messageIds.indexOf(undefined) : 0;
  return [...new Set([...earlier, interrupted])];
}

/** `Retry-After` while an event about the message may be waiting to be read. */
const unreadSeconds = 30;

type CallOutcome = 'known' | 'not taken' | 'given up';

/**
 * The outcome of the call that claimed at `claimedAt` (Unix milliseconds, 0 for a call that has freed its claim): all
 * that it did is recorded (`known`), SES did not accept its last message (`not taken`), or may have and no event will
 * tell (`given up`). `unread`: the feedback queue or its dead letters still contain events, one of which may be about
 * this message. Throws `conflict` while the call may still be sending or SES's event may still arrive.
 */
export async function endOfCall(claimedAt: number, now: Date): Promise<CallOutcome | 'unread'> {
  if (claimedAt === 0) return 'known';
  const withoutEvents = unansweredSend(claimedAt, null, now.getTime());
  const state =
    withoutEvents.kind === 'working'
      ? withoutEvents
      : unansweredSend(claimedAt, await getEmailWatermark(), now.getTime());
  if (state.kind === 'working' || state.kind === 'unconfirmed') throw tryLater(state.kind, state.retryAfterSeconds);
  return (await isDrained('feedback')) ? state.kind : 'unread';
}

/** The same for a caller who can only wait: also throws `conflict` while events are unread. */
export async function outcomeOfCall(claimedAt: number, now: Date): Promise<CallOutcome> {
  const end = await endOfCall(claimedAt, now);
  if (end === 'unread') throw tryLater('unconfirmed', unreadSeconds);
  return end;
}

/** False when another call has taken over the key. */
export const isStillOurs = async (held: SendClaim): Promise<boolean> =>
  held.kind === 'none' || isHeld(held.position, held.claim);

/**
 * Runs `send`. If it fails, frees the key as far as the outcome is known, so that the call can be corrected or
 * repeated.
 */
export async function whileHolding<T>(held: SendClaim, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    await freeClaim(held, error);
    throw publicErrorOf(error);
  }
}

/**
 * Keeps the claim while a message may have been sent. Deletes it when nothing was sent, else opens it for the next
 * call.
 */
async function freeClaim(held: SendClaim, error: unknown): Promise<void> {
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
