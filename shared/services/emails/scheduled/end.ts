import type { CancelReason } from '../../../domain/sending/scheduled.ts';
import { logger } from '../../../platform/logger.ts';
import { deleteBody } from '../../../store/files/bodies.ts';
import { deleteScheduled, endScheduled, settleCanceled } from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';

/** It is out: from now on the email alone tells of it. The body first, so that nothing is forgotten half-way. */
export async function finish({ workspaceId, id }: ScheduledEmail): Promise<void> {
  await deleteBody(workspaceId, id);
  await deleteScheduled({ workspaceId, id });
}

/** Nobody needs the body of one that was canceled. */
export async function cleanUp(email: ScheduledEmail): Promise<void> {
  await deleteBody(email.workspaceId, email.id);
  await settleCanceled(email);
}

/** It never goes out, and its record says why. */
export async function giveUp(
  own: ScheduledEmail,
  reason: CancelReason,
  now: Date,
  providerCode?: string,
): Promise<void> {
  if (!(await endScheduled(own, reason, now, providerCode))) return;
  await deleteBody(own.workspaceId, own.id);
  logger.warn('A scheduled email was not sent.', { reason, ...(providerCode && { provider_code: providerCode }) });
}
