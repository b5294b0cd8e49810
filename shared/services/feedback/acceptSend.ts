import type { Feedback } from '../../email/feedbackEvent.ts';
import { logger } from '../../platform/logger.ts';
import { getEmail } from '../../store/sending/emails.ts';
import { settle } from '../../store/sending/usage.ts';
import { accept } from '../emails/reservation.ts';

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
  if (email.messageIds[envelope]) return;
  await accept(email.record, envelope, event.mail.messageId);
  const isLast = email.messageIds.every((id, index) => id || index === envelope);
  if (isLast) await settle(workspaceId, email.record.month, emailId);
}
