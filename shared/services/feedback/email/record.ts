import type { Happening, HappeningOf } from '../../../domain/sending/happening.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { logger } from '../../../platform/logger.ts';
import type { Batch } from '../batch.ts';
import { recordAccepted } from './accepted.ts';
import { recordDamage } from './damage.ts';
import { recordDelivered } from './delivered.ts';
import { recordClicked, recordOpened } from './engagement.ts';
import { noteEvent } from './note.ts';

type Effect<Type extends Happening['type']> = (
  feedback: EmailFeedback,
  happening: HappeningOf<Type>,
  batch: Batch,
) => Promise<void>;

const effects: { readonly [Type in Happening['type']]: Effect<Type> } = {
  accepted: recordAccepted,
  delivered: recordDelivered,
  bounced: recordDamage,
  complained: recordDamage,
  opened: recordOpened,
  clicked: recordClicked,
  delayed: recordDelayed,
  dropped: reportDropped,
};

export async function recordEmailFeedback(feedback: EmailFeedback, batch: Batch): Promise<void> {
  await Promise.all(
    feedback.happenings.map((happening) => {
      const effect = effects[happening.type] as Effect<Happening['type']>;
      return effect(feedback, happening, batch);
    }),
  );
  // Of this lane alone: what campaigns bring has a way of its own, and may be ahead.
  if (feedback.happenings.some(({ type }) => type === 'accepted')) batch.heard.push(feedback.message.sentAt);
}

async function recordDelayed(
  feedback: EmailFeedback,
  { recipient, at, reason }: HappeningOf<'delayed'>,
  batch: Batch,
): Promise<void> {
  logger.info('A delivery is delayed.', { email_id: feedback.origin.id, delay_type: reason });
  await noteEvent(feedback, recipient, { kind: 'delays', at, text: reason }, batch);
}

/** Nobody's address is at fault, an operator should know. */
async function reportDropped({ origin }: EmailFeedback, { cause, reason }: HappeningOf<'dropped'>): Promise<void> {
  logger.warn('The provider dropped an accepted message.', {
    workspace_id: origin.workspaceId,
    email_id: origin.id,
    event_type: cause,
    reason,
  });
}
