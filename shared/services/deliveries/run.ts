import type { WebhookMessage } from '../../queue/webhookDelivery.ts';
import { runAttempt } from './attempt.ts';
import { eraseLog } from './erase.ts';
import { releaseHeld } from './release.ts';

/** Does what a message of the delivery queue asks for. Doing it twice does no harm. */
export async function runWebhookMessage(
  message: WebhookMessage,
  received: { readonly isRedelivered: boolean },
  clock: () => Date,
): Promise<void> {
  const position = { workspaceId: message.workspace_id, webhookId: message.webhook_id };
  switch (message.kind) {
    case 'attempt':
      return runAttempt({ message, ...received }, clock);
    case 'release':
      return releaseHeld(position, message.after, clock());
    case 'erase':
      return eraseLog(position);
  }
}
