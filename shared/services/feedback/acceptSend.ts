import type { Feedback } from '../../email/feedbackEvent.ts';
import { logger } from '../../platform/logger.ts';
import { getEmail, markAccepted } from '../../store/emails.ts';
import { settleAccepted } from '../emails/reservation.ts';

/**
 * The provider's own word that it took a message. Mostly known already (one read, no write); after a call that broke or
 * a process that died it is the only word there is.
 */
export async function acceptSend({ origin, event }: Feedback<'Send'>): Promise<void> {
  const { workspaceId, emailId, envelope } = origin;
  const email = await getEmail(workspaceId, emailId);
  if (!email?.record.envelopes[envelope]) {
    logger.warn('A Send event belongs to no email.', { workspace_id: workspaceId, email_id: emailId });
    return;
  }
  if (!email.messageIds[envelope]) await markAccepted(workspaceId, emailId, envelope, event.mail.messageId);
  else if (!email.record.released) return;
  const missing = email.messageIds.filter((id, index) => !id && index !== envelope);
  if (missing.length === 0) await settleAccepted(email.record);
}
