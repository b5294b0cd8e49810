import { isSimulatorAddress } from '../../domain/address/address.ts';
import { type Feedback, reportedAddress } from '../../email/feedbackEvent.ts';
import { recordCountedOutcome } from '../../store/sending/outcomes.ts';
import { suppress } from '../suppression/suppress.ts';
import type { Batch } from './batch.ts';
import { emitEmailEvents } from './events.ts';
import { outcomeExpiry } from './expiry.ts';

/** SES refused to write to these for the whole account; they do not count in its rates, nor in ours (SES Developer Guide). */
const accountSuppression = new Set(['OnAccountSuppressionList', 'Suppressed']);

/** Only a permanent bounce changes anything: a transient one is reported when SES gives up, and the address may live. */
export async function applyBounce(feedback: Feedback<'Bounce'>, batch: Batch): Promise<void> {
  const { origin, event } = feedback;
  const { bounceType: type, bounceSubType: subtype } = event.bounce;
  if (type !== 'Permanent') return;
  const byAccount = accountSuppression.has(subtype);
  const happenings = await Promise.all(
    event.bounce.bouncedRecipients.map(async ({ emailAddress, diagnosticCode }) => {
      const address = reportedAddress(emailAddress);
      const { at } = await recordCountedOutcome(
        {
          workspaceId: origin.workspaceId,
          emailId: origin.emailId,
          address,
          status: 'bounced',
          at: new Date(event.bounce.timestamp),
          expiresAt: outcomeExpiry(batch.now),
        },
        isSimulatorAddress(address) || byAccount ? null : { day: batch.now.toISOString().slice(0, 10), bounced: 1 },
      );
      await suppress(origin.workspaceId, address, 'bounce', batch.now);
      if (byAccount) await suppress(null, address, 'bounce', batch.now);
      return {
        type: 'email.bounced' as const,
        recipient: address,
        at,
        details: { bounce: { type, subtype, diagnostic: diagnosticCode ?? null } },
      };
    }),
  );
  batch.damaged.add(origin.workspaceId);
  await emitEmailEvents(feedback, happenings, batch);
}
