import { isSimulatorAddress } from '../../../domain/address/address.ts';
import type { HappeningOf } from '../../../domain/sending/happening.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { recordOutcome } from '../../../store/sending/emails.ts';
import { type Batch, tallyDelivery } from '../batch.ts';
import { emitEmailEvent } from './event.ts';
import { outcomeOf } from './outcome.ts';

export async function recordDelivered(
  feedback: EmailFeedback,
  { recipient, at: reportedAt }: HappeningOf<'delivered'>,
  batch: Batch,
): Promise<void> {
  const outcome = outcomeOf(feedback, { recipient, status: 'delivered', at: reportedAt }, batch);
  const { changed, at } = await recordOutcome(outcome);
  if (changed && !isSimulatorAddress(recipient)) tallyDelivery(batch, outcome.workspaceId);
  await emitEmailEvent(feedback, { type: 'email.delivered', recipient, at }, batch);
}
