import { ServiceError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/address.ts';
import {
  type CancelReason,
  cancelReasons,
  isPassing,
  nextTryAt,
  scheduledLateSeconds,
} from '../../domain/sending/email.ts';
import { isUnknownForGood } from '../../domain/sending/settlement.ts';
import { addSeconds, now as currentTime, stopwatch } from '../../platform/clock.ts';
import { gatewayMilliseconds, withDeadline } from '../../platform/deadline.ts';
import { addLogFields, logger, notify } from '../../platform/logger.ts';
import type { ScheduledMessage } from '../../queue/scheduledEmail.ts';
import { type AcceptedEmail, findEmail } from '../../store/emails/email.ts';
import {
  claimScheduled,
  getScheduled,
  putOffScheduled,
  reopenScheduled,
  type ScheduledEmail,
} from '../../store/emails/scheduledEmails.ts';
import { getBody } from '../../store/files/bucket.ts';
import { findRecipientStates } from '../../store/person/suppressions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { isOfHold, isSendingHeld, sendingState } from '../sendingHold.ts';
import { deliver } from './deliver.ts';
import { endOfCall } from './idempotency.ts';
import { composeChecked, draftOf } from './internal/draft.ts';
import { cleanUp, end, finish, giveUp } from './internal/endScheduled.ts';
import { queueScheduled, readBody } from './internal/scheduleEmail.ts';
import { SendFailure } from './sendFailure.ts';

/** The sweeper takes over an email whose worker has not finished after this time. */
const workerSeconds = 90;

/**
 * Handles a message for a scheduled email: sends the email if its record still names the message's time. Of concurrent
 * messages one claims the email. After a crash another worker takes it over once it is known what SES accepted; see
 * docs/design/sending.md.
 */
export async function handleScheduledMessage(message: ScheduledMessage, now: Date): Promise<void> {
  const { workspace_id: workspaceId, email_id: id } = message;
  addLogFields({ workspace_id: workspaceId, email_id: id });
  const email = await getScheduled({ workspaceId, id });
  if (email?.state === 'canceled') return cleanUp(email);
  if (email?.scheduledAt !== message.scheduled_at) return;
  const known = await findEmail(workspaceId, id);
  if (known?.messageIds.every(Boolean)) return finish(email);
  // It is late in the table, where the sweeper finds it after the release.
  if (await isSendingHeld()) return void (await putOffScheduled(email, now));
  const inDoubt = await envelopesInDoubt(email, known, now);
  if (!inDoubt) return;
  const due = { stage: 'queued', at: addSeconds(now, workerSeconds) } as const;
  const own = await claimScheduled(email, inDoubt, now, due);
  const claimed = own && { ...own, isTakenOver: email.state === 'sending' };
  if (claimed) await withDeadline(gatewayMilliseconds, () => sendClaimed(claimed, known, now));
}

/** Envelopes that an earlier worker may have sent. Null when that is not known yet, and the email was postponed. */
async function envelopesInDoubt(
  email: ScheduledEmail,
  known: AcceptedEmail | null,
  now: Date,
): Promise<readonly number[] | null> {
  if (email.state === 'scheduled') return [];
  try {
    const earlier = email.inDoubt.filter((envelope) => !known?.messageIds[envelope]);
    const outcome = await endOfCall(email.claimedAt ?? 0, now);
    if (outcome === 'unread') {
      await awaitReading(email, known, now);
      return null;
    }
    if (outcome === 'not taken') return [];
    if (outcome === 'known') return earlier;
    const interrupted = known ? known.messageIds.indexOf(undefined) : 0;
    if (!earlier.includes(interrupted)) return [...earlier, interrupted];
    await awaitEvents(email, known, now);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await putOffScheduled(email, addSeconds(now, error.retryAfterSeconds ?? 1));
    return null;
  }
}

/**
 * The same envelope was sent twice without an answer. There is no third attempt unless events of later messages show
 * that SES accepted neither; they are waited for as long as an email may be retried.
 */
async function awaitEvents(email: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<void> {
  const next = nextTryAt(await triedSince(email), Number.POSITIVE_INFINITY, now);
  if (next) return void (await putOffScheduled(email, next));
  await endAsUnknown(email, known, now);
}

/**
 * The event of the earlier attempt may be unread: it is waited for, and after a day the email ends without another
 * attempt.
 */
async function awaitReading(email: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<void> {
  if (isUnknownForGood(email.claimedAt ?? 0, now.getTime())) await endAsUnknown(email, known, now);
  else await putOffScheduled(email, addSeconds(now, unreadPauseSeconds));
}

const unreadPauseSeconds = 60;

/** Ends an email with an unknown outcome: it is not tried again. */
export async function endAsUnknown(email: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<void> {
  notify('SendUnknown', 'It is unknown whether a scheduled email was sent; it is not tried again.', {});
  if (known) await finish(email);
  else await end(email, { reason: 'send_failed', providerCode: 'Unknown' }, now);
}

/** An email that this worker has claimed; `isTakenOver`: from a worker that crashed. */
type ClaimedEmail = ScheduledEmail & { readonly isTakenOver: boolean };

async function sendClaimed(own: ClaimedEmail, known: AcceptedEmail | null, now: Date): Promise<void> {
  try {
    if (await attempt(own, known, now)) await finish(own);
  } catch (error) {
    // A message may have been sent: another worker continues when SES's event has arrived or can no longer arrive.
    if (error instanceof SendFailure && error.isOpenEnded) return;
    // A hold came meanwhile: it waits as if it had not been tried, for the sweeper after the release.
    if (isOfHold(error)) return waitForRelease(own, now);
    // Another worker has taken over.
    if (error instanceof ServiceError && error.code === 'conflict') return;
    await afterFailure(own, error, now);
  }
}

async function waitForRelease(own: ClaimedEmail, now: Date): Promise<void> {
  const isPartial = (await findEmail(own.workspaceId, own.id)) !== null;
  await reopenScheduled(own, !isPartial && own.inDoubt.length === 0, own.tries, { stage: 'queued', at: now });
}

/** From when on an email is retried for a day: its time, or the release of a hold that it waited for. */
async function triedSince({ scheduledAt }: ScheduledEmail): Promise<Date> {
  const { decision } = await sendingState();
  return new Date(decision && decision.since > scheduledAt ? decision.since : scheduledAt);
}

/** False when there is nothing left to send. */
async function attempt(own: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<boolean> {
  const { workspaceId, id } = own;
  const body = await getBody(workspaceId, id);
  if (!body) throw new BodyLost();
  const draft = draftOf(readBody(body));
  const age = stopwatch();
  const [workspace, recipients] = await Promise.all([
    getWorkspace(workspaceId),
    findRecipientStates(workspaceId, draft.addresses.map(addressKey)),
  ]);
  if (!workspace) return false;
  const isLaterCall = known !== null;
  const { mime, tracking, recipientCheck } = await composeChecked(draft, workspace, recipients, { isLaterCall, age });
  await deliver(
    {
      workspaceId,
      emailId: id,
      attempt: 'later',
      inDoubt: own.inDoubt,
      isStillOurs: async () => (await getScheduled(own))?.claimedAt === own.claimedAt,
      addresses: draft.addresses,
      content: draft.content,
      schedule: { createdAt: own.createdAt, at: own.scheduledAt },
      reservedIn: own.reservedIn,
      tracking,
      recipientCheck,
      now,
    },
    mime,
    workspace,
  );
  return true;
}

/** The bucket reports that there is no body. Every attempt checks again, since the bucket may be wrong for a while. */
class BodyLost extends Error {
  override readonly name = 'BodyLost';

  constructor() {
    super('The body of a scheduled email is not in the bucket.');
  }
}

/** No message of it is in flight: the email is retried later, or ends. */
async function afterFailure(own: ClaimedEmail, error: unknown, now: Date): Promise<void> {
  const isPartial = (await findEmail(own.workspaceId, own.id)) !== null;
  const failure = error instanceof SendFailure ? error : null;
  const code = failure ? String(failure.details.provider_code) : error instanceof BodyLost ? error.name : null;
  const brokenRule = failure ? null : cancelReasonOf(error);
  const at = new Date(own.scheduledAt);
  const isRefused = brokenRule !== null && !isPassing(brokenRule, { ...own, scheduledAt: at }, now);
  const next = isRefused || failure?.isForGood ? null : nextTryAt(await triedSince(own), own.tries, now);
  const isUntouched = !isPartial && own.inDoubt.length === 0;
  if (next && failure?.isForRate) await tryAgainSoon(own, isUntouched);
  else if (next) {
    if (!failure) logger.error('A scheduled email could not be sent yet.', error as Error);
    await reopenScheduled(own, isUntouched, own.tries + 1, { stage: 'queued', at: next });
  } else if (isPartial) {
    logger.error('A scheduled email was sent to a part of its recipients only.', error as Error);
    await finish(own);
  } else await giveUp(own, { reason: brokenRule ?? 'send_failed', providerCode: code ?? undefined }, now);
}

const longestRatePauseSeconds = 30;

/** For what SES deferred for its rate: after 1 to 2 seconds, then with growing pauses. */
async function tryAgainSoon(own: ClaimedEmail, isUntouched: boolean): Promise<void> {
  const pause = Math.min(2 ** own.tries, longestRatePauseSeconds) * (1 + Math.random());
  const dueAt = addSeconds(currentTime(), pause);
  const due = { stage: 'queued', at: addSeconds(dueAt, scheduledLateSeconds) } as const;
  const reopened = await reopenScheduled(own, isUntouched, own.tries + 1, due);
  if (reopened) await queueScheduled([{ ...reopened, dueAt }], currentTime());
}

/** The rule that refuses the email; null for any other error. */
function cancelReasonOf(error: unknown): CancelReason | null {
  if (!(error instanceof ServiceError)) return null;
  return cancelReasons.find((reason) => reason === error.code) ?? null;
}
