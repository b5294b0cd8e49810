import type { EmailStatus } from '../../../domain/sending/emailStatus.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import type { OutcomeChange } from '../../../store/sending/outcomes.ts';
import type { Batch } from '../batch.ts';

/** What became of one recipient, kept as long as an email is, counted from the report. */
export function outcomeOf(
  { origin }: EmailFeedback,
  { recipient, status, at }: { readonly recipient: string; readonly status: EmailStatus; readonly at: Date },
  { now }: Batch,
): OutcomeChange {
  return {
    workspaceId: origin.workspaceId,
    emailId: origin.id,
    address: recipient,
    status,
    at,
    expiresAt: epochSeconds(now) + config('EMAIL_RETENTION_DAYS') * secondsInDay,
  };
}
