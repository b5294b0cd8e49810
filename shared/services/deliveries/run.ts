import { addLogFields } from '../../platform/logContext.ts';
import type { WebhookMessage } from '../../queue/webhookMessage.ts';
import { runAttempt } from './attempt.ts';
import { eraseLog } from './erase.ts';
import { releaseHeld } from './release.ts';

/** Does what a message of the delivery queue asks for. Doing it twice does no harm. */
export async function runWebhookMessage(
  message: WebhookMessage,
  received: { readonly isRedelivered: boolean },
  clock: () => Date,
): Promise<void> {
  addLogFields({ workspace_id: message.workspaceId, webhook_id: message.webhookId });
  switch (message.kind) {
    case 'attempt':
      return runAttempt({ message, ...received }, clock);
    case 'release':
      return releaseHeld(message, message.after, clock());
    case 'erase':
      return eraseLog(message);
  }
}
