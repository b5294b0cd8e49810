import { ServiceError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/address/address.ts';
import { envelopesOf } from '../../domain/sending/envelope.ts';
import type { Minute } from '../../domain/sending/minute.ts';
import { plans, quotaResetsAt } from '../../domain/sending/plan.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import type { Email, EmailContent } from '../../store/sending/email.ts';
import { getEmail } from '../../store/sending/emails.ts';
import type { AttemptKind } from '../../store/sending/reservations.ts';
import type { Workspace } from '../../store/workspace/workspaces.ts';
import { type Attempt, openPart } from './attempt.ts';
import { giveBackFor, reserveFor } from './reservation.ts';
import { SendFailure } from './sendFailure.ts';
import { type Stop, transmit } from './transmit.ts';

/** A checked email on its way out. */
export interface Outgoing {
  readonly workspaceId: string;
  readonly emailId: string;
  /** `later` when an earlier call under the same Idempotency-Key died: part of it may be out. */
  readonly attempt: AttemptKind;
  /** Every recipient once. */
  readonly addresses: readonly string[];
  readonly content: EmailContent;
  /** True for confirmations, which the quota does not count. */
  readonly isQuotaExempt?: boolean;
  readonly now: Date;
}

/** Reserves, sends envelope by envelope, and notes what was accepted. Throws `quota_exceeded` or a `SendFailure`. */
export async function deliver(
  outgoing: Outgoing,
  mime: Uint8Array,
  workspace: Workspace,
): Promise<{ id: string; createdAt: string }> {
  const earlier = outgoing.attempt === 'later' ? await getEmail(outgoing.workspaceId, outgoing.emailId) : null;
  const email = earlier?.email ?? newEmail(outgoing);
  const accepted = email.envelopes.map((_, index) => Boolean(earlier?.messageIds[index]));
  const answer = { id: email.id, createdAt: email.createdAt };
  if (accepted.every(Boolean)) return answer;
  const minute = await takeQuota(email, openPart({ email, accepted }), workspace, outgoing);
  const attempt: Attempt = { email, accepted, minute };
  const { stop, marked } = await transmit(attempt, mime, workspace);
  await marked;
  if (stop) await fail(attempt, stop);
  return answer;
}

function newEmail({ workspaceId, emailId, addresses, content, isQuotaExempt = false, now }: Outgoing): Email {
  return {
    ...content,
    workspaceId,
    id: emailId,
    envelopes: envelopesOf(addresses),
    createdAt: now.toISOString(),
    expiresAt: epochSeconds(now) + config('EMAIL_RETENTION_DAYS') * secondsInDay,
    isQuotaExempt,
  };
}

/** Rule 3: the quota is taken before anything is sent, and the attempt is listed before the provider is called. */
async function takeQuota(
  email: Email,
  addresses: readonly string[],
  { plan }: Workspace,
  { attempt, now }: Outgoing,
): Promise<Minute> {
  const limit = email.isQuotaExempt ? Number.MAX_SAFE_INTEGER : plans[plan].monthlyQuota;
  const reserved = await reserveFor(email, addresses, limit, now, attempt);
  if (reserved.ok) return reserved.minute;
  throw new ServiceError('quota_exceeded', {
    details: { limit, used: reserved.used, requested: addresses.length, resets_at: quotaResetsAt(now) },
  });
}

/** Gives back what was refused, and says what became of the rest. */
async function fail(attempt: Attempt, stop: Stop): Promise<never> {
  const { email, accepted, minute } = attempt;
  const open = openPart(attempt);
  const done = email.envelopes.filter((_, index) => accepted[index]).flat();
  const unknown = stop.kind === 'unknown' ? (email.envelopes[accepted.indexOf(false)] ?? []) : [];
  const refused = open.filter((address) => !unknown.includes(address));
  await giveBackFor(email, refused, minute);
  throw new SendFailure({
    extent: unknown.length > 0 ? 'unknown' : done.length > 0 ? 'partial' : 'nothing',
    providerCode: stop.providerCode,
    accepted: done.map(addressKey),
    refused: refused.map(addressKey),
    unknown: unknown.map(addressKey),
  });
}
