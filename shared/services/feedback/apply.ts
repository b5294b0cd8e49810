import type { Feedback, SesEvent } from '../../email/feedbackEvent.ts';
import type { FeedbackOrigin } from '../../email/feedbackTags.ts';
import { logger } from '../../platform/logger.ts';
import { acceptSend } from './acceptSend.ts';
import type { Batch } from './batch.ts';
import { applyBounce } from './bounce.ts';
import { applyClick } from './click.ts';
import { applyComplaint } from './complaint.ts';
import { applyDelivery } from './delivery.ts';
import { applyOpen } from './open.ts';

type Apply<Type extends SesEvent['eventType']> = (feedback: Feedback<Type>, batch: Batch) => Promise<void>;

/** What each event does. Events come late, twice and in any order: doing one again changes nothing. */
const effects: { readonly [Type in SesEvent['eventType']]: Apply<Type> } = {
  Send: acceptSend,
  Delivery: applyDelivery,
  Bounce: applyBounce,
  Complaint: applyComplaint,
  Reject: async ({ origin, event }) => reportUnsent(origin, event.eventType, event.reject.reason),
  'Rendering Failure': async ({ origin, event }) => reportUnsent(origin, event.eventType, event.failure.errorMessage),
  DeliveryDelay: async ({ origin, event }) =>
    logger.info('A delivery is delayed.', { email_id: origin.emailId, delay_type: event.deliveryDelay.delayType }),
  Open: applyOpen,
  Click: applyClick,
  Subscription: async () => {},
};

export async function applyFeedback(feedback: Feedback, batch: Batch): Promise<void> {
  const apply = effects[feedback.event.eventType] as Apply<SesEvent['eventType']>;
  await apply(feedback, batch);
}

/** The provider took the message and then did not send it: nobody's address is at fault, an operator should know. */
function reportUnsent(origin: FeedbackOrigin, type: string, reason: string): void {
  logger.warn('The provider dropped an accepted message.', {
    workspace_id: origin.workspaceId,
    email_id: origin.emailId,
    event_type: type,
    reason,
  });
}
