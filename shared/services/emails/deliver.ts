import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/address.ts';
import { envelopesOf } from '../../domain/envelope.ts';
import { monthOf, plans, quotaResetsAt } from '../../domain/plan.ts';
import { feedbackTags } from '../../email/feedbackTags.ts';
import { type SendResult, sendEnvelope } from '../../email/ses.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import { deleteEmail, type EmailRecord, getEmail, markAccepted, putEmail, unmarkReleased } from '../../store/emails.ts';
import { giveBack, reserve } from '../../store/usage.ts';
import type { Workspace } from '../../store/workspaces.ts';
import { reservationOf, settleAccepted } from './reservation.ts';
import { SendFailure } from './sendFailure.ts';

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
  if (record.released) await unmarkReleased(record.workspace_id, record.email_id);
  await prepare(record, accepted, workspace, email.now);
  const { stop, marked } = await sendAll(record, accepted, mime, workspace);
  await close(record, accepted, stop, marked);
  return { id: record.email_id, createdAt: record.created_at };
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
async function prepare(record: EmailRecord, accepted: boolean[], workspace: Workspace, now: Date): Promise<void> {
  const limit = record.quota_exempt ? Number.MAX_SAFE_INTEGER : plans[workspace.plan].monthlyQuota;
  const open = openPart(record, accepted);
  const [taken] = await Promise.all([
    reserve(record.workspace_id, limit, { ...reservationOf(record, open), at: now }),
    putEmail(record),
  ]);
  if (taken.ok) return;
  if (!accepted.some(Boolean)) await deleteEmail(record.workspace_id, record.email_id);
  throw new ServiceError('quota_exceeded', {
    details: { limit, used: taken.used, requested: open.length, resets_at: quotaResetsAt(now) },
  });
}

const openPart = (record: EmailRecord, accepted: readonly boolean[]): string[] =>
  record.envelopes.flatMap((envelope, index) => (accepted[index] ? [] : envelope));

type Stop = Exclude<SendResult, { kind: 'accepted' }>;

/**
 * One envelope after the other, so that a refusal of the first one leaves nobody written to. Sets `accepted` as it goes
 * and returns what stopped it. An envelope's mark is on disk before the next one leaves; the last mark is still under
 * way (`marked`), so that it costs no round trip of its own.
 */
async function sendAll(
  record: EmailRecord,
  accepted: boolean[],
  mime: Uint8Array,
  workspace: Workspace,
): Promise<{ stop: Stop | null; marked: Promise<void> }> {
  let marked = Promise.resolve();
  for (const [index, recipients] of record.envelopes.entries()) {
    if (accepted[index]) continue;
    await marked;
    const result = await sendPatiently(() =>
      sendEnvelope({
        recipients,
        mime,
        tags: feedbackTags(
          { workspaceId: record.workspace_id, emailId: record.email_id, envelope: index },
          record.tags,
        ),
        tracking: { opens: workspace.trackOpens, clicks: workspace.trackClicks },
      }),
    );
    const known = result.kind === 'unknown' ? await askFeedback(record, index, result) : result;
    if (known.kind !== 'accepted') return { stop: known, marked };
    accepted[index] = true;
    marked = remember(() => markAccepted(record.workspace_id, record.email_id, index, known.messageId), record);
  }
  return { stop: null, marked };
}

const throttleWaitsMilliseconds = [200, 600, 1500];

/** A throttled message was certainly not taken: it may be tried again, a few times and ever later. */
async function sendPatiently(send: () => Promise<SendResult>): Promise<SendResult> {
  let result = await send();
  for (const milliseconds of throttleWaitsMilliseconds) {
    if (result.kind !== 'throttled') break;
    await wait(milliseconds * (0.5 + Math.random()));
    result = await send();
  }
  return result;
}

const feedbackWaitsMilliseconds = [300, 700, 1500, 2500];

/** The call broke. If the provider took the message, its Send event marks the envelope within moments: wait for it. */
async function askFeedback<T extends SendResult>(
  record: EmailRecord,
  envelope: number,
  broken: T,
): Promise<SendResult> {
  for (const milliseconds of feedbackWaitsMilliseconds) {
    await wait(milliseconds);
    const messageId = (await getEmail(record.workspace_id, record.email_id))?.messageIds[envelope];
    if (messageId) return { kind: 'accepted', messageId };
  }
  return broken;
}

/** After the provider's yes the answer is 202, whatever our own records do: the Send event and the sweeper mend them. */
async function remember(write: () => Promise<unknown>, record: EmailRecord): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.error('An accepted email could not be marked; feedback will.', {
      error: error as Error,
      email_id: record.email_id,
    });
  }
}

/** Settles the reservation according to what went out, and says so when it is not all. */
async function close(
  record: EmailRecord,
  accepted: readonly boolean[],
  stop: Stop | null,
  marked: Promise<void>,
): Promise<void> {
  if (!stop) {
    await Promise.all([marked, remember(() => settleAccepted(record), record)]);
    return;
  }
  await marked;
  const open = openPart(record, accepted);
  const done = record.envelopes.flatMap((envelope, index) => (accepted[index] ? envelope : []));
  const unknown = stop.kind === 'unknown' ? (record.envelopes[accepted.indexOf(false)] ?? []) : [];
  if (unknown.length === 0) {
    await giveBack(record.workspace_id, reservationOf(record, open));
    if (done.length === 0) await deleteEmail(record.workspace_id, record.email_id);
  }
  throw new SendFailure({
    extent: unknown.length > 0 ? 'unknown' : done.length > 0 ? 'partial' : 'nothing',
    providerCode: stop.providerCode,
    accepted: done.map(addressKey),
    refused: open.filter((address) => !unknown.includes(address)).map(addressKey),
    unknown: unknown.map(addressKey),
  });
}
