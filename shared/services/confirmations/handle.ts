import { parseConfirmationMessage } from '../../queue/confirmation.ts';
import { sendConfirmation } from './send.ts';
import { startSignUp } from './signUp.ts';

/** One message of the queue `confirmation`. */
export async function handleConfirmationMessage(body: string, now: Date): Promise<void> {
  const message = parseConfirmationMessage(body);
  const { workspace_id: workspaceId, email } = message;
  if (message.kind === 'confirmation') return sendConfirmation(workspaceId, email, now);
  await startSignUp({ workspaceId, email, firstName: message.first_name, lastName: message.last_name }, now);
}
