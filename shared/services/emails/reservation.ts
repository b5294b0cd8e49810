import { countedRecipients } from '../../domain/envelope.ts';
import { type EmailRecord, unmarkReleased } from '../../store/emails.ts';
import { settle, takeLate } from '../../store/usage.ts';

/** What these recipients of an email take from the quota and from the day's sent. */
export function reservationOf(record: EmailRecord, addresses: readonly string[]) {
  return {
    emailId: record.email_id,
    month: record.month,
    day: record.day,
    recipients: record.quota_exempt ? 0 : addresses.length,
    counted: countedRecipients(addresses),
  };
}

/**
 * Closes the reservation of an email whose every envelope was accepted. When the sweeper had given it back before the
 * provider's word came, its recipients are counted again: they were written to.
 */
export async function settleAccepted(record: EmailRecord): Promise<void> {
  if (await settle(record.workspace_id, record.month, record.email_id)) return;
  if (!(await unmarkReleased(record.workspace_id, record.email_id))) return;
  await takeLate(record.workspace_id, reservationOf(record, record.envelopes.flat()));
}
