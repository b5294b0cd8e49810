import { isSimulatorAddress } from '../../domain/address/address.ts';
import { type Feedback, reportedAddress } from '../../email/feedbackEvent.ts';
import { recordOutcome } from '../../store/sending/emails.ts';
import { type Batch, tallyDelivery } from './batch.ts';
import { emitEmailEvents } from './events.ts';
import { outcomeExpiry } from './expiry.ts';

export async function applyDelivery(feedback: Feedback<'Delivery'>, batch: Batch): Promise<void> {
  const { origin, event } = feedback;
  const happenings = await Promise.all(
    event.delivery.recipients.map(async (reported) => {
      const recipient = reportedAddress(reported);
      const { changed, at } = await recordOutcome({
        workspaceId: origin.workspaceId,
        emailId: origin.emailId,
        address: recipient,
        status: 'delivered',
        at: new Date(event.delivery.timestamp),
        expiresAt: outcomeExpiry(batch.now),
      });
      if (changed && !isSimulatorAddress(recipient)) tallyDelivery(batch, origin.workspaceId);
      return { type: 'email.delivered' as const, recipient, at };
    }),
  );
  await emitEmailEvents(feedback, happenings, batch);
}
