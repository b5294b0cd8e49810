import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { logger } from '../../../platform/logger.ts';
import { getEmail } from '../../../store/sending/emails.ts';
import { settle } from '../../../store/sending/usage.ts';
import { accept } from '../../emails/reservation.ts';

/**
 * The provider's own word that it took a message. Mostly known already (one read, no write); after a call that broke or
 * a process that died it is the only word there is.
 */
export async function recordAccepted({ origin, message }: EmailFeedback): Promise<void> {
  const { workspaceId, id, envelope } = origin;
  const email = await getEmail(workspaceId, id);
  if (!email?.record.envelopes[envelope]) {
    logger.warn('A Send event belongs to no email.', { workspace_id: workspaceId, email_id: id });
    return;
  }
  if (email.messageIds[envelope]) return;
  await accept(email.record, envelope, message.id);
  const isLast = email.messageIds.every((known, index) => known || index === envelope);
  if (isLast) await settle(workspaceId, email.record.month, id);
}
