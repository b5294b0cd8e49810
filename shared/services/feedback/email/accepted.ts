import type { HappeningOf } from '../../../domain/sending/happening.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { logger } from '../../../platform/logger.ts';
import { findReported } from '../../../store/sending/emails.ts';
import { findSend } from '../../../store/sending/sends.ts';
import { accept } from '../../emails/reservation.ts';
import type { Batch } from '../batch.ts';
import { listAccepted } from './listed.ts';

/**
 * The provider's own word that it took a message. Mostly known already (half a read unit, one call for a batch, no write
 * besides the lists by recipient and tag, where there are any); after a call that broke or a process that died it is the
 * only word there is.
 */
export async function recordAccepted(
  { origin, message }: EmailFeedback,
  _accepted: HappeningOf<'accepted'>,
  batch: Batch,
): Promise<void> {
  const { workspaceId, id, envelope, minute, sheet } = origin;
  const names = { workspace_id: workspaceId, email_id: id };
  const known = await findReported(workspaceId, id, envelope);
  const messageId = known?.messageIds[envelope];
  if (known && messageId) {
    await listAccepted(known.email, envelope, batch);
    if (messageId !== message.id) logger.warn('A message went out twice.', { ...names, envelope });
    return;
  }
  const email = known?.email ?? (minute === null ? null : await findSend(workspaceId, minute, id, sheet));
  if (!email?.envelopes[envelope]) {
    logger.warn('A Send event belongs to no email.', names);
    return;
  }
  await accept(email, envelope, message.id, minute, batch.now);
  await listAccepted(email, envelope, batch);
}
