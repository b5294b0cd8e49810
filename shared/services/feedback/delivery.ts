import { isSimulatorAddress } from '../../domain/address.ts';
import { type Feedback, reportedAddress } from '../../email/feedbackEvent.ts';
import { recordOutcome } from '../../store/emails.ts';
import { type Batch, tallyDelivery } from './batch.ts';
import { outcomeExpiry } from './expiry.ts';

export async function applyDelivery({ origin, event }: Feedback<'Delivery'>, batch: Batch): Promise<void> {
  await Promise.all(
    event.delivery.recipients.map(async (recipient) => {
      const address = reportedAddress(recipient);
      const changed = await recordOutcome({
        workspaceId: origin.workspaceId,
        emailId: origin.emailId,
        address,
        status: 'delivered',
        at: new Date(event.delivery.timestamp),
        expiresAt: outcomeExpiry(batch.now),
      });
      if (changed && !isSimulatorAddress(address)) tallyDelivery(batch, origin.workspaceId);
    }),
  );
}
