import { isScheduledMessage, parseScheduledMessage } from '../../queue/scheduledEmail.ts';
import { handleScheduledMessage } from '../emails/sendScheduled.ts';
import { handleConfirmationMessage } from './internal/handleConfirmation.ts';

/** Handles one message of the queue `confirmation`, which scheduled emails share with what people asked for. */
export async function handleDueMail(body: string, now: Date): Promise<void> {
  if (isScheduledMessage(body)) await handleScheduledMessage(parseScheduledMessage(body), now);
  else await handleConfirmationMessage(body, now);
}
