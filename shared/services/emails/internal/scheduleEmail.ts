import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/route.ts';
import type { sendEmailRoute } from '../../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../../contract/schemas/emailRequest.ts';
import { addressKey } from '../../../domain/address.ts';
import { createId } from '../../../domain/identifier.ts';
import { momentProblem, scheduledLateSeconds } from '../../../domain/sending/email.ts';
import { monthOf, plans } from '../../../domain/sending/quota.ts';
import type { Delivery, NewEvent } from '../../../domain/webhook/delivery.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { addSeconds, epochSeconds, secondsInDay, stopwatch } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { bytesIn, type Chunks, cut, placeOf } from '../../../platform/memory.ts';
import { sendScheduledMessages } from '../../../queue/scheduledEmail.ts';
import { longestDelaySeconds } from '../../../queue/sqs.ts';
import { findEmail } from '../../../store/emails/email.ts';
import {
  addScheduled,
  type Due,
  getScheduled,
  type NewScheduledEmail,
  type ScheduledEmail,
} from '../../../store/emails/scheduledEmails.ts';
import { putBody } from '../../../store/files/bucket.ts';
import { findRecipientStates } from '../../../store/person/suppressions.ts';
import { getUsed } from '../../../store/quota/months.ts';
import { listWebhooks } from '../../../store/webhook/webhooks.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { dispatchDeliveries, newDeliveries } from '../../events.ts';
import { requireOpenSending } from '../../sendingHold.ts';
import { quotaExceeded } from '../checks.ts';
import { claimOnce, whileHolding } from '../idempotency.ts';
import type { AttachedFile, CompleteEmail } from './completeEmail.ts';
import { composeChecked, type Draft, sentEmailOf } from './draft.ts';

interface ScheduledDraft extends Draft {
  readonly scheduledAt: string;
}

/**
 * Stores an email until its scheduled time: first its body, then its record, then a message for the queue. After a crash a
 * body without a record expires, and the sweeper queues a record without a message. The email is checked as if it went
 * out now; its quota is reserved when it does.
 */
export async function scheduleEmail(
  context: Context,
  idempotencyKey: string | undefined,
  request: SendEmailRequest,
  draft: ScheduledDraft,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  const { body, addresses } = draft;
  const at = new Date(draft.scheduledAt);
  const emailId = createId('email', now);
  const [workspace, recipients, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findRecipientStates(workspaceId, addresses.map(addressKey)),
    idempotencyKey === undefined
      ? ({ kind: 'none', emailId } as const)
      : claimOnce(workspaceId, idempotencyKey, request, emailId, now),
  ]);
  const known = claim.kind === 'existing' ? await storedAs(workspaceId, claim.emailId) : null;
  if (known) return { outcome: 'replayed', output: resultOf(known, request, at) };
  const email = newScheduledEmail(context, draft, claim.emailId, at);
  const store = async (): Promise<Result<typeof sendEmailRoute>> => {
    // After the replay check, because the scheduled time of a repeated call may be in the past.
    checkScheduledTime(at, now);
    if (!workspace) throw new ServiceError('internal_error');
    await composeChecked(draft, workspace, recipients, { isLaterCall: false, age: stopwatch() });
    await requireOpenSending();
    await checkQuota(workspace, addresses.length, at, now);
    await storeBody(email, draft);
    const own = { ...email, subject: body.subject };
    const deliveries = await storeRecord(email, workspace, now);
    const isOurs = deliveries !== null;
    if (isOurs) await Promise.all([queueIfNear([email], now), dispatchDeliveries(deliveries)]);
    // A concurrent call with the same key has stored the record: both return the same.
    const stored = isOurs ? own : ((await storedAs(workspaceId, email.id)) ?? own);
    return { outcome: 'accepted', output: resultOf(stored, request, at) };
  };
  return claim.kind === 'existing' ? store() : whileHolding(claim, store);
}

/** The result of an earlier call with the same key, for a request that cannot be completed any more; else throws `error`. */
export async function replayScheduled(
  { workspaceId, now }: Context,
  idempotencyKey: string,
  request: SendEmailRequest,
  error: unknown,
): Promise<Result<typeof sendEmailRoute>> {
  const claim = await claimOnce(workspaceId, idempotencyKey, request, createId('email', now), now);
  if (claim.kind !== 'existing') return whileHolding(claim, () => Promise.reject(error));
  const known = await storedAs(workspaceId, claim.emailId);
  if (!known) throw error;
  return { outcome: 'replayed', output: resultOf(known, request, new Date(request.scheduled_at ?? now)) };
}

type StoredEmail = Pick<ScheduledEmail, 'id' | 'createdAt'> & { readonly subject: string };

const resultOf = ({ id, createdAt, subject }: StoredEmail, request: SendEmailRequest, at: Date) => ({
  ...sentEmailOf(id, { ...request, subject: request.subject ?? subject }, createdAt),
  scheduled_at: at.toISOString(),
});

/** The email of an earlier call, scheduled or sent; null when that call crashed before it stored one. */
export async function storedAs(workspaceId: string, id: string): Promise<StoredEmail | null> {
  const scheduled = await getScheduled({ workspaceId, id });
  if (scheduled) return { id, createdAt: scheduled.createdAt, subject: scheduled.content.subject };
  const sent = await findEmail(workspaceId, id);
  return sent && { id, createdAt: sent.email.createdAt, subject: sent.email.subject };
}

export function newScheduledEmail(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  { content }: Draft,
  id: string,
  at: Date,
): NewScheduledEmail {
  return {
    workspaceId,
    id,
    content,
    state: 'scheduled',
    scheduledAt: at.toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    expiresAt: expiryOf(at),
    inDoubt: [],
    tries: 0,
  };
}

export const storeBody = ({ workspaceId, id }: NewScheduledEmail, { body }: Draft): Promise<void> =>
  putBody(workspaceId, id, writeBody(body));

/**
 * The record is what makes an email scheduled; its event is written with it. Resolves with the deliveries to queue; null
 * when a concurrent call with the same key has stored the record.
 */
export async function storeRecord(
  email: NewScheduledEmail,
  workspace: Workspace,
  now: Date,
): Promise<readonly Delivery[] | null> {
  const events = workspace.listened?.includes('email.scheduled') ? [scheduledEvent(email)] : [];
  const deliveries = await newDeliveries(workspace.id, events, () => listWebhooks(workspace.id));
  return (await addScheduled(email, dueOf(new Date(email.scheduledAt), now), deliveries)) ? deliveries : null;
}

function scheduledEvent({ id, content, scheduledAt, createdAt }: NewScheduledEmail): NewEvent {
  const { subject, tags } = content;
  const data = { email_id: id, campaign_id: null, recipient: null, subject, tags, scheduled_at: scheduledAt };
  return { type: 'email.scheduled', cause: `${id}#scheduled`, at: new Date(createdAt), data };
}

/** An email counts in the month in which it is sent. If that is this month, its quota must be available now. */
export async function checkQuota({ id, plan }: Workspace, requested: number, at: Date, now: Date): Promise<void> {
  if (monthOf(at) !== monthOf(now)) return;
  const limit = plans[plan].monthlyQuota;
  const used = await getUsed(id, monthOf(now));
  if (used + requested <= limit) return;
  throw quotaExceeded({ limit, used, requested }, now);
}

export function checkScheduledTime(at: Date, now: Date): void {
  const problem = momentProblem(at, now);
  if (problem) throw new ValidationError([{ path: 'scheduled_at', text: problem }]);
}

/** Unix seconds: records are kept as those of any email, counted from the scheduled time. */
export const expiryOf = (at: Date): number => epochSeconds(at) + config('EMAIL_RETENTION_DAYS') * secondsInDay;

/** A queue message can wait for a near time, exact to some seconds; the sweeper queues the others later. */
const isNear = (at: Date, now: Date): boolean => at.getTime() - now.getTime() <= longestDelaySeconds * 1000;

export const dueOf = (at: Date, now: Date): Due =>
  isNear(at, now) ? { stage: 'queued', at: addSeconds(at, scheduledLateSeconds) } : { stage: 'far', at };

type QueuedEmail = Pick<NewScheduledEmail, 'workspaceId' | 'id' | 'scheduledAt'>;

/** Queues the emails whose time is near. */
export const queueIfNear = (emails: readonly QueuedEmail[], now: Date): Promise<void> =>
  queueScheduled(
    emails.map((email) => ({ ...email, dueAt: new Date(email.scheduledAt) })).filter(({ dueAt }) => isNear(dueAt, now)),
    now,
  );

/** Queues emails, each until `dueAt`. It never throws: the sweeper queues what is missing, a minute late. */
export async function queueScheduled(
  emails: readonly (QueuedEmail & { readonly dueAt: Date })[],
  now: Date,
): Promise<void> {
  if (emails.length === 0) return;
  const messages = emails.map(({ workspaceId, id, scheduledAt, dueAt }) => ({
    entry: { kind: 'send' as const, workspace_id: workspaceId, email_id: id, scheduled_at: scheduledAt },
    delaySeconds: (dueAt.getTime() - now.getTime()) / 1000,
  }));
  try {
    await sendScheduledMessages(messages);
  } catch (error) {
    logger.error('Scheduled emails could not be queued; the sweeper will.', {
      error: error as Error,
      emails: messages.map(({ entry }) => entry.email_id),
    });
  }
}

/** A file in a stored body: in base64, or as a number of bytes that follow the line, in the order of the files. */
type StoredFile = Omit<AttachedFile, 'content' | 'announced'> &
  ({ readonly content: string } | { readonly bytes: number });

const newline = 0x0a;

/**
 * A complete email as its body is stored: one line of JSON, then the bytes of its uploads, which expire before the email
 * goes out. They are not in the JSON as base64, which would take their memory several times when the email is sent.
 */
export function writeBody({ attachments, ...body }: CompleteEmail): Chunks {
  const stored = attachments?.map(
    ({ announced: _, content, ...file }): StoredFile =>
      typeof content === 'string' ? { ...file, content } : { ...file, bytes: bytesIn(content) },
  );
  const line = Buffer.from(JSON.stringify({ ...body, attachments: stored }));
  const files = attachments?.flatMap(({ content }) => (typeof content === 'string' ? [] : [content])) ?? [];
  return files.length === 0 ? [line] : [line, Buffer.of(newline), ...files.flat()];
}

export function readBody(chunks: Chunks): CompleteEmail {
  const end = placeOf(newline, chunks) ?? bytesIn(chunks);
  const line = Buffer.concat(cut(chunks, 0, end)).toString('utf8');
  const { attachments, ...body } = JSON.parse(line) as Omit<CompleteEmail, 'attachments'> & {
    attachments?: readonly StoredFile[];
  };
  let start = end + 1;
  const files = attachments?.map((file): AttachedFile => {
    if ('content' in file) return file;
    const { bytes: length, ...rest } = file;
    start += length;
    return { ...rest, content: cut(chunks, start - length, start) };
  });
  return { ...body, attachments: files };
}
