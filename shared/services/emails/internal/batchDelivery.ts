import { randomUUID } from 'node:crypto';
import type { ServiceError } from '../../../contract/errors.ts';
import { plans } from '../../../domain/sending/quota.ts';
import type { Minute } from '../../../domain/sending/settlement.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { nowMilliseconds } from '../../../platform/clock.ts';
import { logger, withLogFields } from '../../../platform/logger.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { Email } from '../../../store/emails/email.ts';
import { type AttemptList, quotaOf } from '../../../store/quota/attempts.ts';
import { giveBackBatch, reserveBatch } from '../../../store/quota/reservations.ts';
import { quotaExceeded } from '../checks.ts';
import { newEmail, openRecipients, reportsOf, type SendAttempt, type StopReason, transmitOrKeep } from '../deliver.ts';
import { ownObstacles, tryLater } from '../sendFailure.ts';
import type { CheckedBatchEmail } from './batchChecks.ts';
import { envelopesAt } from './batchClaim.ts';
import { mayBeGivenBack, type ScheduledBatchEmail, scheduleAll } from './batchSchedule.ts';
import { keepingForRate } from './keepForRate.ts';

/** A checked batch. */
export interface OutgoingBatch {
  readonly workspace: Workspace;
  /** The emails that go out now. */
  readonly emails: readonly CheckedBatchEmail[];
  /** Those that are scheduled. */
  readonly later: readonly CheckedBatchEmail[];
  /** Batch positions of envelopes that an earlier call may have sent. */
  readonly inDoubt: readonly number[];
  isStillOurs(): Promise<boolean>;
  /** True when nothing may go out if the first email does not. */
  readonly isStrict: boolean;
  readonly now: Date;
  /** See `BatchClaim`. */
  readonly lostAt: number;
}

/** The outcome of an email; `stop` says why it was not sent completely. */
export interface BatchEmailOutcome {
  readonly index: number;
  readonly attempt: SendAttempt;
  readonly stop: StopReason | null;
  /** True when every acceptance is stored. */
  readonly isRecorded: boolean;
  /** True when it waits for SES's rate. */
  readonly isKept?: boolean;
  /** Why it was not kept: too much waits already. */
  readonly backlog?: ServiceError | null;
}

export interface BatchOutcome {
  readonly sent: readonly BatchEmailOutcome[];
  readonly scheduled: readonly ScheduledBatchEmail[];
}

/** 480 messages a second with an SES that answers in 50 ms. */
const emailsAtOnce = 24;

/**
 * Reserves quota for all emails, then sends them in parallel, each envelope by envelope, and stores the scheduled ones.
 * Throws `quota_exceeded`; after SES was called for any email it never throws.
 */
export async function deliverBatch(batch: OutgoingBatch): Promise<BatchOutcome> {
  const { workspace, emails, later, inDoubt, now } = batch;
  if (emails.length === 0) return { sent: [], scheduled: await scheduleAll(workspace, later, now) };
  const open = emails.map(({ id, draft: { addresses, content }, known }) => {
    const email = known?.email ?? newEmail({ workspaceId: workspace.id, emailId: id, addresses, content, now });
    return { email, accepted: email.envelopes.map((_, index) => Boolean(known?.messageIds[index])) };
  });
  const { minute, listOf } = await reserveAll(open, workspace, batch);
  const isStillOurs = oncePerSecond(() => batch.isStillOurs());
  const attempts = open.map(
    ({ email, accepted }, index): SendAttempt => ({
      email,
      accepted,
      minute,
      list: listOf(email),
      inDoubt: envelopesAt(emails[index]?.index ?? -1, inDoubt),
      startedAt: now,
      recipientCheck: (emails[index] as CheckedBatchEmail).recipientCheck,
      reports: reportsOf(workspace),
      isStillOurs,
    }),
  );
  const outcome = await sendAll(batch, attempts);
  await giveBackUnsent(workspace.id, outcome.sent);
  return outcome;
}

type OpenEmail = Pick<SendAttempt, 'email' | 'accepted'>;

/**
 * Reserves the quota of all emails at once. Throws `quota_exceeded` when it does not suffice, or `conflict` while a
 * crashed call under the same key may still hold what is missing.
 */
async function reserveAll(
  open: readonly OpenEmail[],
  { id, plan }: Workspace,
  { now, lostAt }: { readonly now: Date; readonly lostAt: number },
): Promise<{ readonly minute: Minute; listOf(email: Email): string | undefined }> {
  const limit = plans[plan].monthlyQuota;
  const lists = attemptLists(open);
  const reserved = await reserveBatch(id, lists, limit, now);
  if (!reserved.ok) {
    if (mayBeGivenBack(lostAt, now)) throw tryLater('unconfirmed', 30);
    const requested = open.reduce((sum, each) => sum + openRecipients(each).length, 0);
    throw quotaExceeded({ limit, used: reserved.used, requested }, now);
  }
  const ids = new Map(lists.flatMap((list) => list.attempts.map(({ email }) => [email.id, list.id])));
  return { minute: reserved.minute, listOf: (email) => ids.get(email.id) };
}

/** Far below the 400 KB of an item, since a late event reads a whole list for one email. */
const listBytes = 64_000;

function attemptLists(open: readonly OpenEmail[]): AttemptList[] {
  const lists: { id: string; attempts: AttemptList['attempts'][number][] }[] = [];
  let bytesLeft = 0;
  for (const each of open) {
    const bytes = Buffer.byteLength(JSON.stringify(each.email));
    if (bytes > bytesLeft) {
      lists.push({ id: randomUUID(), attempts: [] });
      bytesLeft = listBytes;
    }
    bytesLeft -= bytes;
    lists.at(-1)?.attempts.push({ email: each.email, quota: quotaOf(each.email, openRecipients(each)) });
  }
  return lists;
}

/** The first email goes alone, so that nobody gets any when SES refuses them all. What SES defers for its rate is kept. */
async function sendAll(
  { workspace, emails, later, isStrict, now }: OutgoingBatch,
  attempts: readonly SendAttempt[],
): Promise<BatchOutcome> {
  let end: StopReason | null = null;
  const sendOne = async (email: CheckedBatchEmail): Promise<BatchEmailOutcome> => {
    const attempt = attempts[emails.indexOf(email)] as SendAttempt;
    const { index } = email;
    if (end) return { index, attempt, stop: end, isRecorded: true };
    const deferral = keepingForRate(email.draft, now);
    const { stop, isRecorded, kept } = await withLogFields({ email_id: attempt.email.id }, () =>
      transmitOrKeep(attempt, email.mime, email.tracking, deferral),
    );
    if (stop?.kind === 'superseded') end = stop;
    if (kept?.kind === 'kept') {
      return { index, attempt: { ...attempt, keepsQuota: true }, stop: null, isRecorded, isKept: true };
    }
    if (kept?.kind === 'unknown') return { index, attempt: inDoubtWhole(attempt), stop: unanswered, isRecorded };
    return { index, attempt, stop, isRecorded, backlog: kept?.kind === 'full' ? kept.error : null };
  };
  const [first, ...others] = emails;
  if (!first) return { sent: [], scheduled: [] };
  const outcome = await sendOne(first);
  if (isStrict && outcome.stop) end = asObstacle(outcome.stop);
  const [sent, scheduled] = await Promise.all([
    inParallel(emailsAtOnce, others, sendOne),
    end ? later.map((email) => notScheduled(email, end)) : scheduleAll(workspace, later, now),
  ]);
  return { sent: [outcome, ...sent], scheduled };
}

const unanswered: StopReason = { kind: 'unknown', providerCode: ownObstacles.unreadable };

/** An email of which nobody knows whether it is kept. */
const inDoubtWhole = (attempt: SendAttempt): SendAttempt => ({
  ...attempt,
  inDoubt: [...attempt.accepted.keys()].filter((index) => !attempt.accepted[index]),
  keepsQuota: true,
});

const notScheduled = (email: CheckedBatchEmail, stop: StopReason | null): ScheduledBatchEmail => ({
  email,
  status: 'not_sent',
  ...(stop && 'providerCode' in stop && { providerCode: stop.providerCode }),
});

/** Why the others are not sent after the first one failed: not because of their own content. */
const asObstacle = (stop: StopReason): StopReason =>
  stop.kind === 'superseded' ? stop : { ...stop, kind: 'obstacle' };

/** The envelope for which SES did not answer. */
export const unansweredEnvelope = ({ attempt, stop }: BatchEmailOutcome): number | null =>
  stop?.kind === 'unknown' ? attempt.accepted.indexOf(false) : null;

async function giveBackUnsent(workspaceId: string, outcomes: readonly BatchEmailOutcome[]): Promise<void> {
  const unsent = outcomes.flatMap((outcome) => {
    const { email, accepted, minute, keepsQuota = false } = outcome.attempt;
    if (keepsQuota) return [];
    const unknown = unansweredEnvelope(outcome);
    const addresses = email.envelopes.filter((_, index) => !accepted[index] && index !== unknown).flat();
    return addresses.length > 0 ? [{ minute, quota: quotaOf(email, addresses) }] : [];
  });
  const [one] = unsent;
  if (!one) return;
  await giveBackBatch(
    workspaceId,
    one.minute,
    unsent.map(({ quota }) => quota),
  ).catch((error: unknown) =>
    logger.warn('What was not sent is given back to the quota when its minute is settled.', error as Error),
  );
}

/**
 * Shares one answer among the emails of a batch for a second of real time, because a process may be frozen meanwhile.
 */
function oncePerSecond(ask: () => Promise<boolean>): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> | undefined;
  return () => {
    if (!answer || nowMilliseconds() - askedAt >= 1000) {
      askedAt = nowMilliseconds();
      answer = ask();
    }
    return answer;
  };
}
