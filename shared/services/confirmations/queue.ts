import { logger } from '../../platform/logger.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';

/** Hands a stored request to the worker. The request is due on its own account: what is not queued here, the sweeper queues. */
export async function queueConfirmation(workspaceId: string, email: string): Promise<void> {
  try {
    await sendConfirmationMessage({ kind: 'confirmation', workspaceId, email });
  } catch (error) {
    logger.error('A confirmation could not be queued; the sweeper will.', { error: error as Error });
  }
}
