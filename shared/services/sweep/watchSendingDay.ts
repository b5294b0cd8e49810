import { readSendingAccount } from '../../email/ses.ts';
import { notify } from '../../platform/logger.ts';

const minutesBetweenLooks = 30;
const nearlyUsed = 0.8;

/** Notices that SES's quota of recipients in 24 hours is nearly used, at every look while it is. */
export async function sweepSendingDay(now: Date): Promise<void> {
  if (now.getUTCMinutes() % minutesBetweenLooks !== 0) return;
  const { perDay, sentInDay } = await readSendingAccount();
  if (perDay === null || sentInDay < nearlyUsed * perDay) return;
  notify('SendingDayNearlyUsed', 'SES’s quota of recipients in 24 hours is nearly used.', {
    sent: sentInDay,
    allowed: perDay,
  });
}
