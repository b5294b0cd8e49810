import { addLogFields } from '../../platform/logContext.ts';
import { parseConfirmationMessage } from '../../queue/confirmation.ts';
import { sendData } from '../preferences/sendData.ts';
import { askForConsent } from './ask.ts';
import { sendConfirmation } from './send.ts';

/** One message of the queue `confirmation`. */
export async function handleConfirmationMessage(body: string, now: Date): Promise<void> {
  const message = parseConfirmationMessage(body);
  addLogFields({ workspace_id: message.workspaceId });
  if (message.kind === 'confirmation') return sendConfirmation(message.workspaceId, message.email, now);
  if (message.kind === 'data') return sendData(message, now);
  await askForConsent(message, now);
}
