import { ServiceError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/address/address.ts';
import { envelopesOf } from '../../domain/sending/envelope.ts';
import { monthOf, plans, quotaResetsAt } from '../../domain/sending/plan.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { text } from '../../language/text.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { deleteEmail, type EmailRecord, getEmail, putEmail } from '../../store/sending/emails.ts';
import { giveBackOpen, reserveAgain } from '../../store/sending/openSends.ts';
import { giveBack, type ReserveResult, reserve, settle } from '../../store/sending/usage.ts';
import { type Attempt, openEnvelopes, openPart } from './attempt.ts';
import { reservationOf } from './reservation.ts';
import { SendFailure } from './sendFailure.ts';
import { remember, type Stop, transmit } from './transmit.ts';

/** A checked email on its way out. */
export interface Outgoing {
  readonly workspaceId: string;
  readonly emailId: string;
  /** True when an earlier call under the same Idempotency-Key died: part of it may be out. */
  readonly resumed: boolean;
  /** Every recipient once. */
  readonly addresses: readonly string[];
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  /** True for confirmations, which the quota does not count. */
  readonly isQuotaExempt?: boolean;
  readonly now: Date;
}

/** Reserves, records, sends envelope by envelope, and settles. Throws `quota_exceeded` or a `SendFailure`. */
export async function deliver(
  email: Outgoing,
  mime: Uint8Array,
  workspace: Workspace,
): Promise<{ id: string; createdAt: string }> {
  const earlier = email.resumed ? await getEmail(email.workspaceId, email.emailId) : null;
  const record = earlier?.record ?? recordOf(email);
  const accepted = record.envelopes.map((_, index) => Boolean(earlier?.messageIds[index]));
  const answer = { id: record.email_id, createdAt: record.created_at };
  if (accepted.every(Boolean)) return answer;
  const attempt: Attempt = { record, accepted, isFirst: earlier === null, now: email.now };
  await prepare(attempt, workspace);
  const { stop, marked } = await transmit(attempt, mime, workspace);
  await close(attempt, stop, marked);
  return answer;
}

function recordOf(email: Outgoing): EmailRecord {
  const createdAt = email.now.toISOString();
  return {
    workspace_id: email.workspaceId,
    email_id: email.emailId,
    from: email.from,
    to: [...email.to],
    cc: [...email.cc],
    bcc: [...email.bcc],
    reply_to: [...email.replyTo],
    subject: email.subject,
    tags: email.tags.map(({ name, value }) => ({ name, value })),
    envelopes: envelopesOf(email.addresses),
    month: monthOf(email.now),
    day: createdAt.slice(8, 10),
    created_at: createdAt,
    expires_at: epochSeconds(email.now) + config('EMAIL_RETENTION_DAYS') * secondsInDay,
    ...(email.isQuotaExempt ? { quota_exempt: true } : {}),
  };
}

/** Rule 3: the quota is taken before anything is sent; the record stands before the provider is called. */
async function prepare(attempt: Attempt, workspace: Workspace): Promise<void> {
  const { record, isFirst, now } = attempt;
  const limit = record.quota_exempt ? Number.MAX_SAFE_INTEGER : plans[workspace.plan].monthlyQuota;
  const requested = openPart(attempt);
  const taken = await takeQuota(attempt, limit, requested);
  if (taken === null) throw new ServiceError('conflict', stillArriving);
  if (taken.ok) return;
  if (isFirst) await deleteEmail(record.workspace_id, record.email_id);
  throw new ServiceError('quota_exceeded', {
    details: { limit, used: taken.used, requested: requested.length, resets_at: quotaResetsAt(now) },
  });
}

async function takeQuota(attempt: Attempt, limit: number, requested: readonly string[]): Promise<ReserveResult | null> {
  const { record, isFirst, now } = attempt;
  const reservation = { ...reservationOf(record, requested), at: now };
  if (!isFirst) return reserveAgain(record, openEnvelopes(attempt), limit, reservation);
  const [taken] = await Promise.all([reserve(record.workspace_id, limit, reservation), putEmail(record)]);
  return taken;
}

/** The provider's word on the earlier call comes in at this very moment: a retry will find it. */
const stillArriving = {
  text: text({
    en: 'An earlier call with this Idempotency-Key is just being confirmed.',
    fr: 'Un appel précédent avec cette Idempotency-Key est en train d’être confirmé.',
  }),
  details: { status: 'in_progress' },
  retryAfterSeconds: 1,
};

/** Settles the reservation according to what went out, and says so when it is not all. */
async function close(attempt: Attempt, stop: Stop | null, marked: Promise<void>): Promise<void> {
  const { record, accepted } = attempt;
  if (!stop) {
    const settled = remember(() => settle(record.workspace_id, record.month, record.email_id), record);
    await Promise.all([marked, settled]);
    return;
  }
  await marked;
  const open = openPart(attempt);
  const done = record.envelopes.flatMap((envelope, index) => (accepted[index] ? envelope : []));
  const unknown = stop.kind === 'unknown' ? (record.envelopes[accepted.indexOf(false)] ?? []) : [];
  if (unknown.length === 0) await giveBackRefused(attempt, open, done.length === 0);
  throw new SendFailure({
    extent: unknown.length > 0 ? 'unknown' : done.length > 0 ? 'partial' : 'nothing',
    providerCode: stop.providerCode,
    accepted: done.map(addressKey),
    refused: open.filter((address) => !unknown.includes(address)).map(addressKey),
    unknown: unknown.map(addressKey),
  });
}

/** What this call was refused, an earlier one may have sent: its record waits for the provider's word. */
async function giveBackRefused(attempt: Attempt, open: readonly string[], isNothingOut: boolean): Promise<void> {
  const { record, isFirst, now } = attempt;
  const reservation = reservationOf(record, open);
  if (!isFirst) {
    await giveBackOpen(record, openEnvelopes(attempt), reservation, now.toISOString());
    return;
  }
  await giveBack(record.workspace_id, reservation);
  if (isNothingOut) await deleteEmail(record.workspace_id, record.email_id);
}
