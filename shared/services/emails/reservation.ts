import { countedRecipients } from '../../domain/sending/envelope.ts';
import { type EmailRecord, markAccepted } from '../../store/sending/emails.ts';
import { takeBack } from '../../store/sending/openSends.ts';

/** What these recipients of an email take from the quota and from the day's sent. */
export function reservationOf(record: EmailRecord, addresses: readonly string[]) {
  return {
    holderId: record.email_id,
    month: record.month,
    day: record.day,
    recipients: record.quota_exempt ? 0 : addresses.length,
    counted: countedRecipients(addresses),
  };
}

/** Notes that the provider took an envelope. Recipients whom the sweeper had given back by then count again. */
export async function accept(record: EmailRecord, envelope: number, messageId: string): Promise<void> {
  const counts = reservationOf(record, record.envelopes[envelope] ?? []);
  for (let round = 0; round < 3; round += 1) {
    if (await markAccepted(record.workspace_id, record.email_id, envelope, messageId)) return;
    if (await takeBack(record, envelope, messageId, counts)) return;
  }
  throw new Error('An envelope was given back and reserved again while it was being accepted.');
}
