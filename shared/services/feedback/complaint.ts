import { isSimulatorAddress } from '../../domain/address/address.ts';
import { type Feedback, reportedAddress } from '../../email/feedbackEvent.ts';
import { recordCountedOutcome } from '../../store/sending/outcomes.ts';
import { suppress } from '../suppression/suppress.ts';
import type { Batch } from './batch.ts';
import { emitEmailEvents } from './events.ts';
import { outcomeExpiry } from './expiry.ts';

/** A recipient flagged the message as spam, or is on the account's list because of an earlier complaint. */
export async function applyComplaint(feedback: Feedback<'Complaint'>, batch: Batch): Promise<void> {
  const { origin, event } = feedback;
  const byAccount = event.complaint.complaintSubType === 'OnAccountSuppressionList';
  const happenings = await Promise.all(
    event.complaint.complainedRecipients.map(async ({ emailAddress }) => {
      const address = reportedAddress(emailAddress);
      const { at } = await recordCountedOutcome(
        {
          workspaceId: origin.workspaceId,
          emailId: origin.emailId,
          address,
          status: 'complained',
          at: new Date(event.complaint.timestamp),
          expiresAt: outcomeExpiry(batch.now),
        },
        isSimulatorAddress(address) || byAccount ? null : { day: batch.now.toISOString().slice(0, 10), complained: 1 },
      );
      await suppress(origin.workspaceId, address, 'complaint', batch.now);
      if (byAccount) await suppress(null, address, 'complaint', batch.now);
      return {
        type: 'email.complained' as const,
        recipient: address,
        at,
        details: { complaint: { feedback_type: event.complaint.complaintFeedbackType ?? null } },
      };
    }),
  );
  batch.damaged.add(origin.workspaceId);
  await emitEmailEvents(feedback, happenings, batch);
}
