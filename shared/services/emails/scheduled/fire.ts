import { ServiceError } from '../../../contract/errors.ts';
import { nextTryAt } from '../../../domain/sending/scheduled.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { gatewayMilliseconds, withDeadline } from '../../../platform/deadline.ts';
import { addLogFields } from '../../../platform/logContext.ts';
import { logger } from '../../../platform/logger.ts';
import type { ScheduledMessage } from '../../../queue/scheduledMessage.ts';
import { claimScheduled, getScheduled, putOffScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { type AcceptedEmail, findEmail } from '../../../store/sending/emails.ts';
import { endOf } from '../idempotency.ts';
import { cleanUp, end, finish } from './end.ts';
import { sendScheduled } from './send.ts';

/** After this somebody looks what became of a worker that has claimed an email. */
const lookAfterSeconds = 90;

/**
 * Sends what is scheduled for this moment. The record decides: whoever canceled the email, or gave it another moment,
 * has made this message void, and of two messages one claims it. A worker that died leaves a claim, which is taken over
 * when it is known what the provider took; see docs/decisions/0001-shape.md.
 */
export async function fireScheduled(message: ScheduledMessage, now: Date): Promise<void> {
  const { workspace_id: workspaceId, email_id: id } = message;
  addLogFields({ workspace_id: workspaceId, email_id: id });
  const email = await getScheduled({ workspaceId, id });
  if (email?.state === 'canceled') return cleanUp(email);
  if (email?.scheduledAt !== message.scheduled_at) return;
  const known = await findEmail(workspaceId, id);
  if (known?.messageIds.every(Boolean)) return finish(email);
  const inDoubt = await doubtOf(email, known, now);
  if (!inDoubt) return;
  const due = { stage: 'queued', at: addSeconds(now, lookAfterSeconds) } as const;
  const own = await claimScheduled(email, inDoubt, now, due);
  const claimed = own && { ...own, isTakenOver: email.state === 'sending' };
  if (claimed) await withDeadline(gatewayMilliseconds, () => sendScheduled(claimed, known, now));
}

/**
 * It was tried twice and nobody knows whether either is out: nobody asks for a third message, so there is none unless the
 * provider's words on others show that it took neither. They are waited for as long as a try may come.
 */
async function awaitWord(email: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<void> {
  const next = nextTryAt(new Date(email.scheduledAt), Number.POSITIVE_INFINITY, now);
  if (next) return void (await putOffScheduled(email, next));
  logger.error('Nobody can say whether a scheduled email went out; it is not tried again.');
  if (known) await finish(email);
  else await end(email, { reason: 'send_failed', providerCode: 'Unknown' }, now);
}

/** What a worker before left in doubt; null when its end must be waited for, and the email was put off until then. */
async function doubtOf(
  email: ScheduledEmail,
  known: AcceptedEmail | null,
  now: Date,
): Promise<readonly number[] | null> {
  if (email.state === 'scheduled') return [];
  const open = (envelope: number) => !known?.messageIds[envelope];
  try {
    const former = email.inDoubt.filter(open);
    const outcome = await endOf(email.claimedAt ?? 0, now);
    if (outcome === 'not taken') return [];
    if (outcome === 'known') return former;
    const interrupted = known ? known.messageIds.indexOf(undefined) : 0;
    if (!former.includes(interrupted)) return [...former, interrupted];
    await awaitWord(email, known, now);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await putOffScheduled(email, addSeconds(now, error.retryAfterSeconds ?? 1));
    return null;
  }
}
