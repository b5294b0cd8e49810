import { addLogFields } from '../../platform/logger.ts';
import { parseConfirmationMessage, sendConfirmationMessage } from '../../queue/confirmation.ts';
import { isScheduledMessage, parseScheduledMessage } from '../../queue/scheduledEmail.ts';
import { isWorkspaceEnded } from '../../store/workspace/workspaces.ts';
import { askForConsent } from '../confirmations/askForConsent.ts';
import { sendReturnLink } from '../confirmations/decline.ts';
import { sendConfirmation } from '../confirmations/sendConfirmation.ts';
import { handleScheduledMessage } from '../emails/sendScheduled.ts';
import { sendPersonData } from '../rights/sendPersonData.ts';
import { isOfHold } from '../sendingHold.ts';

/** Handles one message of the queue `confirmation`, which scheduled emails share with what people asked for. */
export async function handleDueMail(body: string, now: Date): Promise<void> {
  if (isScheduledMessage(body)) await handleScheduledMessage(parseScheduledMessage(body), now);
  else await handleConfirmationMessage(body, now);
}

/** A sign-up, a confirmation to send, or a request for stored data. */
async function handleConfirmationMessage(body: string, now: Date): Promise<void> {
  const message = parseConfirmationMessage(body);
  addLogFields({ workspace_id: message.workspaceId });
  // Nothing is stored or sent any more: messages that were queued before the deletion are dropped.
  if (await isWorkspaceEnded(message.workspaceId)) return;
  if (message.kind === 'confirmation') return sendConfirmation(message.workspaceId, message.email, now);
  if (message.kind === 'sign_up') return askForConsent(message, now);
  try {
    await (message.kind === 'data' ? sendPersonData(message, now) : sendReturnLink(message, now));
  } catch (error) {
    if (!isOfHold(error)) throw error;
    // It is stored nowhere else: it waits as a new message, which never gets nearer to the dead-letter queue.
    await sendConfirmationMessage(message, heldSeconds);
  }
}

/** How long what a person requested waits while all sending is held. */
const heldSeconds = 120;
