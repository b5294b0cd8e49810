import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { deleteBody } from '../../../store/files/bodies.ts';
import {
  deleteScheduled,
  type Ending,
  endScheduled,
  settleCanceled,
} from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { listWebhooks } from '../../../store/webhook/webhooks.ts';
import { dispatchDeliveries } from '../../events/dispatch.ts';
import { writeEvents } from '../../events/emit.ts';
import { lateSeconds } from './moment.ts';

/** It is out: from now on the email alone tells of it. The body first, so that nothing is forgotten half-way. */
export async function finish({ workspaceId, id }: ScheduledEmail): Promise<void> {
  await deleteBody(workspaceId, id);
  await deleteScheduled({ workspaceId, id });
}

/** It never goes out. False when it is on its way, or was moved meanwhile. */
export async function end(seen: ScheduledEmail, ending: Ending, now: Date): Promise<boolean> {
  const ended = await endScheduled(seen, ending, now, { stage: 'queued', at: addSeconds(now, lateSeconds) });
  if (!ended) return false;
  await cleanUp(ended).catch((error: unknown) =>
    logger.warn('A canceled email could not be cleaned up; the sweeper will.', error as Error),
  );
  return true;
}

/**
 * What is left to be done for one that was canceled: nobody needs its body, and whoever listens is told. Done twice, or
 * by whom the sweeper sends since the first one died, it tells the same event.
 */
export async function cleanUp(email: ScheduledEmail): Promise<void> {
  await deleteBody(email.workspaceId, email.id);
  await tellCanceled(email);
  await settleCanceled(email);
}

async function tellCanceled(email: ScheduledEmail): Promise<void> {
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

/** It never goes out, and its record says why. */
export async function giveUp(own: ScheduledEmail, ending: Ending, now: Date): Promise<void> {
  if (!(await end(own, ending, now))) return;
  const { reason, providerCode } = ending;
  logger.warn('A scheduled email was not sent.', { reason, ...(providerCode && { provider_code: providerCode }) });
}
