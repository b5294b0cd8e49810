import { scheduledLateSeconds } from '../../../domain/sending/email.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import {
  deleteScheduled,
  type Ending,
  endScheduled,
  type ScheduledEmail,
  settleCanceled,
} from '../../../store/emails/scheduledEmails.ts';
import { deleteBody } from '../../../store/files/bucket.ts';
import { listWebhooks } from '../../../store/webhook/webhooks.ts';
import { dispatchDeliveries, writeEvents } from '../../events.ts';

/**
 * Cleans up after the email is sent. The body is deleted first: after a crash in between, the record shows what is left
 * to do.
 */
export async function finish({ workspaceId, id }: ScheduledEmail): Promise<void> {
  await deleteBody(workspaceId, id);
  await deleteScheduled({ workspaceId, id });
}

/** Cancels an email. False when it is being sent or was rescheduled meanwhile. */
export async function end(seen: ScheduledEmail, ending: Ending, now: Date): Promise<boolean> {
  const ended = await endScheduled(seen, ending, now, { stage: 'queued', at: addSeconds(now, scheduledLateSeconds) });
  if (!ended) return false;
  await cleanUp(ended).catch((error: unknown) =>
    logger.warn('A canceled email could not be cleaned up; the sweeper will.', error as Error),
  );
  return true;
}

/** Deletes the body of a canceled email and emits its event. Idempotent: a retry by the sweeper emits the same event. */
export async function cleanUp(email: ScheduledEmail): Promise<void> {
  await deleteBody(email.workspaceId, email.id);
  await emitCanceled(email);
  await settleCanceled(email);
}

async function emitCanceled(email: ScheduledEmail): Promise<void> {
  const { workspaceId, id, content, scheduledAt, updatedAt, reason = 'requested', providerCode = null } = email;
  const data = {
    email_id: id,
    campaign_id: null,
    recipient: null,
    subject: content.subject,
    tags: content.tags,
    scheduled_at: scheduledAt,
    reason,
    provider_code: providerCode,
  };
  const event = { type: 'email.canceled', cause: `${id}#canceled`, at: new Date(updatedAt), data } as const;
  await dispatchDeliveries(await writeEvents(workspaceId, [event], () => listWebhooks(workspaceId)));
}

/** Cancels an email that cannot be sent, and logs why. */
export async function giveUp(own: ScheduledEmail, ending: Ending, now: Date): Promise<void> {
  if (!(await end(own, ending, now))) return;
  const { reason, providerCode } = ending;
  logger.warn('A scheduled email was not sent.', { reason, ...(providerCode && { provider_code: providerCode }) });
}
