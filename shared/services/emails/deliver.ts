import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/address.ts';
import { envelopesOf, keptTimes, type Tracking } from '../../domain/sending/email.ts';
import { plans } from '../../domain/sending/quota.ts';
import type { Minute } from '../../domain/sending/settlement.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { type EmailOrigin, feedbackTags, type RunOrigin } from '../../email/feedbackTags.ts';
import type { Mime } from '../../email/mime.ts';
import { answerMilliseconds, type Envelope, isForRate, type NotAccepted, type SendResult } from '../../email/ses.ts';
import { epochSeconds, now, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { pause, remainingMilliseconds, withDeadline } from '../../platform/deadline.ts';
import { addLogFields, logger } from '../../platform/logger.ts';
import { type Email, type EmailContent, getEmail } from '../../store/emails/email.ts';
import { quotaOf } from '../../store/quota/attempts.ts';
import { type AttemptKind, giveBack, reserve } from '../../store/quota/reservations.ts';
import { recordAcceptance } from '../../store/quota/settlement.ts';
import { requireOpenSending } from '../sendingHold.ts';
import { quotaExceeded, type RecipientCheck } from './checks.ts';
import { ownObstacles, type RecipientsByOutcome, SendFailure, tryLater } from './sendFailure.ts';

/** A checked email. */
export interface OutgoingEmail {
  readonly workspaceId: string;
  readonly emailId: string;
  /** `later` when an earlier call under the same Idempotency-Key did not send it completely. */
  readonly attempt: AttemptKind;
  /** Envelopes that an earlier call may have sent. */
  readonly inDoubt: readonly number[];
  /** False when another call has taken over this email. */
  isStillOurs(): Promise<boolean>;
  /** Every recipient once. */
  readonly addresses: readonly string[];
  readonly content: EmailContent;
  /** True for messages of the service's own, which neither the quota nor the reputation counts. */
  readonly isQuotaExempt?: boolean;
  /** How long its record is kept, if shorter than for other emails. */
  readonly keptDays?: number;
  readonly tracking: Tracking;
  readonly recipientCheck: RecipientCheck;
  /** Of a scheduled email: when it was requested, and its scheduled time. */
  readonly schedule?: { readonly createdAt: string; readonly at: string };
  /** The settlement bucket in which an earlier call took its quota for good: it is not refused again. */
  readonly reservedIn?: Minute | undefined;
  /** The run of an automation that sends it. */
  readonly run?: RunOrigin | undefined;
  /** What to do with an email that SES defers for its rate alone; without it that is a `SendFailure`. */
  readonly deferral?: Deferral;
  readonly now: Date;
}

/** Keeps emails until SES's rate allows them. */
export interface Deferral {
  /** True while earlier emails wait: then a new one waits behind them, and SES is not asked. */
  isBacklog(): boolean;
  /** Keeps what is left of an email. Never throws. */
  keep(attempt: SendAttempt): Promise<KeptEmail>;
}

/** `full`: too much waits already. `unknown`: the answer of the table was lost. */
export type KeptEmail =
  | { readonly kind: 'kept' | 'not kept' | 'unknown' }
  | { readonly kind: 'full'; readonly error: ServiceError };

interface SentOutgoing {
  readonly id: string;
  readonly createdAt: string;
  /** True when an earlier call had sent all of it: this one has sent nothing. */
  readonly wasSent: boolean;
}

/**
 * Reserves quota, sends envelope by envelope, and records what SES accepted; keeps what SES defers for its rate alone, if
 * asked to. Throws `sending_held`, `quota_exceeded`, `backlog`, `conflict` when another call has taken over, or a
 * `SendFailure`; after any other error SES was not called.
 */
export async function deliver(outgoing: OutgoingEmail, mime: Mime, workspace: Workspace): Promise<SentOutgoing> {
  const earlier = outgoing.attempt === 'later' ? await getEmail(outgoing.workspaceId, outgoing.emailId) : null;
  const email = earlier?.email ?? newEmail(outgoing);
  const accepted = email.envelopes.map((_, index) => Boolean(earlier?.messageIds[index]));
  const sent = { id: email.id, createdAt: email.createdAt, wasSent: false };
  if (accepted.every(Boolean)) return { ...sent, wasSent: true };
  await requireOpenSending();
  const minute = await takeQuota(email, openRecipients({ email, accepted }), workspace, outgoing);
  const { inDoubt, now: startedAt } = outgoing;
  const attempt: SendAttempt = {
    email,
    accepted,
    inDoubt,
    minute,
    startedAt,
    recipientCheck: outgoing.recipientCheck,
    keepsQuota: outgoing.reservedIn !== undefined,
    reports: reportsOf(workspace),
    run: outgoing.run,
    isStillOurs: () => outgoing.isStillOurs(),
  };
  const { stop, isRecorded, kept } = await transmitOrKeep(attempt, mime, outgoing.tracking, outgoing.deferral);
  if (!stop || kept?.kind === 'kept') return sent;
  if (kept?.kind === 'unknown') throw keptOrNot(attempt);
  return fail(attempt, stop, isRecorded, kept?.kind === 'full' ? kept.error : null);
}

/** What the message's own events tell webhooks that listen. */
export const reportsOf = ({ listened }: Workspace): SendAttempt['reports'] =>
  listened?.includes('email.sent') ? 'sent' : undefined;

interface Transmission {
  /** Why the rest of it was not sent; null when all of it was. */
  readonly stop: StopReason | null;
  /** True when every acceptance is stored. */
  readonly isRecorded: boolean;
  /** What became of it when it was to be kept. */
  readonly kept: KeptEmail | null;
}

/** For an email that waits behind others. */
const rateExceeded = { kind: 'deferred', providerCode: 'TooManyRequestsException' } as const;

/**
 * Sends what is open of an attempt, and keeps what SES defers for its rate alone. What an earlier call may have sent is
 * not kept: its caller is told `unknown` until events settle it. Never throws.
 */
export async function transmitOrKeep(
  attempt: SendAttempt,
  mime: Mime,
  tracking: Tracking,
  given: Deferral | undefined,
): Promise<Transmission> {
  const deferral = attempt.inDoubt.length === 0 ? given : undefined;
  const { stop, recorded } = deferral?.isBacklog()
    ? { stop: rateExceeded, recorded: true }
    : await transmit(attempt, mime, tracking, deferral !== undefined);
  const isRecorded = await recorded;
  const mayKeep = deferral && isRecorded && stop && stop.kind !== 'superseded' && isForRate(stop);
  return { stop, isRecorded, kept: mayKeep ? await deferral.keep(attempt) : null };
}

/** Nothing is given back: if the email was kept, it goes out. */
const keptOrNot = (attempt: SendAttempt): SendFailure => {
  const { accepted, refused } = recipientsByOutcome(attempt, null);
  const recipients = { accepted, refused: [], unknown: refused };
  return new SendFailure({ kind: 'unknown', providerCode: ownObstacles.unreadable }, recipients, true);
};

/** An email before anything of it is sent. */
export function newEmail({
  workspaceId,
  emailId,
  addresses,
  content,
  isQuotaExempt = false,
  keptDays = config('EMAIL_RETENTION_DAYS'),
  schedule,
  now,
}: Pick<
  OutgoingEmail,
  'workspaceId' | 'emailId' | 'addresses' | 'content' | 'isQuotaExempt' | 'keptDays' | 'schedule' | 'now'
>): Email {
  const createdAt = schedule?.createdAt ?? now.toISOString();
  const mayBeCopied = !schedule && !isQuotaExempt && config('EMAIL_LIST') !== 'none';
  const keptUntil = epochSeconds(now) + keptDays * secondsInDay;
  return {
    ...content,
    workspaceId,
    id: emailId,
    envelopes: envelopesOf(addresses),
    createdAt,
    ...(schedule && { scheduledAt: schedule.at }),
    ...keptTimes({ id: emailId, createdAt, mayBeCopied }, keptUntil, config('EMAIL_HOT_DAYS')),
    isQuotaExempt,
  };
}

/** Rule 3: quota is reserved, and the attempt stored, before SES is called. */
async function takeQuota(
  email: Email,
  addresses: readonly string[],
  { plan }: Workspace,
  { attempt, now, reservedIn }: OutgoingEmail,
): Promise<Minute> {
  const isFree = email.isQuotaExempt || reservedIn !== undefined;
  const limit = isFree ? Number.MAX_SAFE_INTEGER : plans[plan].monthlyQuota;
  const reserved = await reserve(email, quotaOf(email, addresses), limit, now, attempt, reservedIn);
  if (reserved.ok) return reserved.minute;
  throw quotaExceeded({ limit, used: reserved.used, requested: addresses.length }, now);
}

/**
 * Gives back the quota of what was certainly not sent, and throws the outcome of each recipient; or, when nothing was
 * sent, the `error` that says more.
 */
async function fail(
  attempt: SendAttempt,
  stop: StopReason,
  isRecorded: boolean,
  error: ServiceError | null = null,
): Promise<never> {
  const { email, accepted, minute, keepsQuota = false } = attempt;
  const unanswered = stop.kind === 'unknown' ? accepted.indexOf(false) : null;
  const unsent = email.envelopes.filter((_, index) => !accepted[index] && index !== unanswered).flat();
  const returned = keepsQuota ? Promise.resolve() : giveBack(email, minute, quotaOf(email, unsent));
  await returned.catch((error: unknown) =>
    logger.warn('What was not sent is given back to the quota when its minute is settled.', error as Error),
  );
  if (stop.kind === 'superseded') throw tryLater('working', 1);
  // Nothing was sent: the rule that refuses the email now says more than SES's error.
  const refusal = attempt.recipientCheck.refusal ?? error;
  if (refusal && !accepted.some(Boolean) && attempt.inDoubt.length === 0) throw refusal;
  throw new SendFailure(stop, recipientsByOutcome(attempt, unanswered), unanswered !== null || !isRecorded);
}

/** One attempt at sending an email. */
export interface SendAttempt {
  readonly email: Email;
  /** By envelope. It is updated while envelopes are sent. */
  readonly accepted: boolean[];
  /** Envelopes that an earlier call may have sent. */
  readonly inDoubt: readonly number[];
  /** The settlement bucket of its reservation. */
  readonly minute: Minute;
  /** For an email of a batch: the list of attempts that contains it. */
  readonly list?: string | undefined;
  readonly startedAt: Date;
  readonly recipientCheck: RecipientCheck;
  /** True when its quota stays taken for the next attempt. */
  readonly keepsQuota?: boolean;
  readonly reports?: EmailOrigin['reports'];
  readonly run?: RunOrigin | undefined;
  /** False when another call has taken over this email. */
  isStillOurs(): Promise<boolean>;
}

/** The recipients of envelopes that SES has not accepted. */
export const openRecipients = ({ email, accepted }: Pick<SendAttempt, 'email' | 'accepted'>): string[] =>
  email.envelopes.filter((_, index) => !accepted[index]).flat();

/** `unanswered` is the envelope of this attempt for which SES did not answer. */
export function recipientsByOutcome(
  { email, accepted, inDoubt }: SendAttempt,
  unanswered: number | null,
): RecipientsByOutcome {
  const isUnknown = (index: number) => !accepted[index] && (index === unanswered || inDoubt.includes(index));
  const recipients = (belongs: (index: number) => boolean) =>
    email.envelopes.filter((_, index) => belongs(index)).flatMap((envelope) => envelope.map(addressKey));
  return {
    accepted: recipients((index) => Boolean(accepted[index])),
    refused: recipients((index) => !accepted[index] && !isUnknown(index)),
    unknown: recipients(isUnknown),
  };
}

/** Why the rest of an email was not sent; `superseded`: another call has taken over. */
export type StopReason = NotAccepted | { readonly kind: 'superseded' };

const retryWaitsMilliseconds = [200, 600, 1500];

/**
 * Sends one envelope after the other, so that no recipient gets the email when SES refuses the first one. Never throws.
 * Each acceptance is stored before the next envelope is sent; `recorded` is true when the last one is stored too.
 */
async function transmit(
  attempt: SendAttempt,
  mime: Mime,
  tracking: Tracking,
  isKept: boolean,
): Promise<{ readonly stop: StopReason | null; readonly recorded: Promise<boolean> }> {
  const { email, accepted, minute, list, reports, run } = attempt;
  addLogFields({ email_id: email.id });
  let recorded = Promise.resolve(true);
  for (const [index, recipients] of email.envelopes.entries()) {
    if (accepted[index]) continue;
    const obstacle = await obstacleTo(attempt, await recorded);
    if (obstacle) return { stop: obstacle, recorded };
    const { id, workspaceId, isQuotaExempt } = email;
    const purpose = isQuotaExempt ? ('service' as const) : undefined;
    const until = email.keptUntil === undefined ? undefined : email.expiresAt;
    const place = { envelope: index, minute, list, reports, purpose, until, ...run } as const;
    const origin = { kind: 'email', id, workspaceId, ...place } as const;
    const tags = feedbackTags(origin, email.tags);
    const result = await sendWithRetries({ recipients, mime, tags, tracking }, attempt.recipientCheck, isKept);
    const outcome = result.kind === 'unknown' ? await awaitSendEvent(email, index, result) : result;
    if (outcome.kind !== 'accepted') return { stop: outcome, recorded };
    accepted[index] = true;
    recorded = recordOrLog(() => recordAcceptance(email, index, outcome.messageId, minute, now()), email);
  }
  return { stop: null, recorded };
}

/** How long a call waits for a Send event after a lost answer; nothing is started without time for both. */
const eventMilliseconds = 5_000;
const mayStart = (): boolean => remainingMilliseconds() >= answerMilliseconds + eventMilliseconds;

/** A younger call still has its key for certain, so it does not check. */
const certainlyOursMilliseconds = 5_000;

async function obstacleTo(attempt: SendAttempt, isRecorded: boolean): Promise<StopReason | null> {
  if (!mayStart()) return { kind: 'obstacle', providerCode: ownObstacles.late };
  if (!isRecorded) return { kind: 'obstacle', providerCode: ownObstacles.unreadable };
  if (now().getTime() - attempt.startedAt.getTime() < certainlyOursMilliseconds) return null;
  try {
    return (await attempt.isStillOurs()) ? null : { kind: 'superseded' };
  } catch (error) {
    logger.error('The claim of an Idempotency-Key could not be read.', error as Error);
    return { kind: 'obstacle', providerCode: ownObstacles.unreadable };
  }
}

/** Retries only what SES certainly did not accept; with `isKept` not what it defers for its rate, which is kept. */
async function sendWithRetries(
  envelope: Envelope,
  recipientCheck: RecipientCheck,
  isKept: boolean,
): Promise<SendResult> {
  const sendOnce = () =>
    withDeadline(remainingMilliseconds() - eventMilliseconds, () => recipientCheck.submit(envelope));
  let result = await sendOnce();
  for (const milliseconds of retryWaitsMilliseconds) {
    if (result.kind !== 'deferred' || (isKept && isForRate(result))) break;
    await wait(milliseconds * (0.5 + Math.random()));
    if (!mayStart()) break;
    result = await sendOnce();
  }
  return result;
}

const eventWaitsMilliseconds = [300, 700, 1500, 2500];

/** After a lost answer: if SES accepted the message, its Send event soon stores the message id. */
async function awaitSendEvent<Failed extends SendResult>(
  { workspaceId, id }: Email,
  envelope: number,
  failed: Failed,
): Promise<SendResult> {
  try {
    for (const milliseconds of eventWaitsMilliseconds) {
      await pause(milliseconds);
      const messageId = (await getEmail(workspaceId, id))?.messageIds[envelope];
      if (messageId) return { kind: 'accepted', messageId };
    }
  } catch (error) {
    logger.warn('Whether the provider accepted a message could not be read.', error as Error);
  }
  return failed;
}

/**
 * The call succeeds when SES has accepted, even if this write fails: the Send event and the sweeper complete the
 * record.
 */
async function recordOrLog(write: () => Promise<unknown>, email: Email): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    logger.error('An accepted email could not be marked; feedback will.', {
      error: error as Error,
      email_id: email.id,
    });
    return false;
  }
}
