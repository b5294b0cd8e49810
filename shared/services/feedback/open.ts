import { isProxiedOpen } from '../../domain/sending/proxy.ts';
import type { Feedback } from '../../email/feedbackEvent.ts';
import type { Batch } from './batch.ts';
import { emitEmailEvents, onlyRecipient } from './events.ts';

/** The images of a message were fetched, by the reader or by a relay in their place. */
export async function applyOpen(feedback: Feedback<'Open'>, batch: Batch): Promise<void> {
  const { timestamp, userAgent } = feedback.event.open;
  const happening = {
    type: 'email.opened' as const,
    recipient: onlyRecipient(feedback),
    at: new Date(timestamp),
    occurrence: timestamp,
    details: { user_agent: userAgent, proxied: isProxiedOpen(userAgent) },
  };
  await emitEmailEvents(feedback, [happening], batch);
}
