import { isSimulatorAddress } from '../../../domain/address/address.ts';
import type { HappeningOf } from '../../../domain/sending/happening.ts';
import { isOpen } from '../../../domain/sending/minute.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { type DeliveryCount, recordOutcome } from '../../../store/sending/outcomes.ts';
import { countLate } from '../../../store/sending/reservations.ts';
import type { Batch } from '../batch.ts';
import { emitEmailEvent } from './event.ts';
import { outcomeOf } from './outcome.ts';

/** With it the outcome stays under 1 KB, which is one write unit. */
const longestAnswer = 200;

export async function recordDelivered(
  feedback: EmailFeedback,
  { recipient, at: reportedAt, answer }: HappeningOf<'delivered'>,
  batch: Batch,
): Promise<void> {
  const told = { answer: answer?.slice(0, longestAnswer) ?? null };
  const outcome = outcomeOf(feedback, { recipient, status: 'delivered', at: reportedAt, told }, batch);
  const count = await countOf(feedback, recipient, batch);
  const { at } = await recordOutcome({ ...outcome, ...(count && { count }) });
  await emitEmailEvent(feedback, { type: 'email.delivered', recipient, at }, batch);
}

/**
 * Which minute counts a delivery when it is settled: that of the send, or the present one when it comes later. So each
 * counts once, whatever dies in between and however often it is reported.
 */
async function countOf({ origin }: EmailFeedback, recipient: string, { now }: Batch): Promise<DeliveryCount | null> {
  if (isSimulatorAddress(recipient)) return null;
  const { workspaceId, id, minute } = origin;
  if (minute !== null && isOpen(minute, now)) return { minute, isLate: false };
  return { minute: await countLate(workspaceId, id, recipient, now), isLate: true };
}
