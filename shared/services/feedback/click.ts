import type { Feedback } from '../../email/feedbackEvent.ts';
import type { Batch } from './batch.ts';
import { emitEmailEvents, onlyRecipient } from './events.ts';

/** A link of a message was followed. */
export async function applyClick(feedback: Feedback<'Click'>, batch: Batch): Promise<void> {
  const { timestamp, userAgent, link } = feedback.event.click;
  const happening = {
    type: 'email.clicked' as const,
    recipient: onlyRecipient(feedback),
    at: new Date(timestamp),
    occurrence: `${timestamp}#${link}`,
    details: { url: link, user_agent: userAgent },
  };
  await emitEmailEvents(feedback, [happening], batch);
}
