import type { EmailStatus } from '../../../domain/sending/emailStatus.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import type { OutcomeChange, Told } from '../../../store/sending/outcomes.ts';
import type { Batch } from '../batch.ts';

interface Reported {
  readonly recipient: string;
  readonly status: EmailStatus;
  readonly at: Date;
  readonly told: Told;
}

/** What became of one recipient, kept as long as an email is, counted from the report. */
export function outcomeOf(
  { origin }: EmailFeedback,
  { recipient, status, at, told }: Reported,
  batch: Batch,
): OutcomeChange {
  return {
    workspaceId: origin.workspaceId,
    emailId: origin.id,
    address: recipient,
    status,
    at,
    told,
    expiresAt: expiryOf(batch),
  };
}

/** Unix seconds. */
export const expiryOf = ({ now }: Batch): number => epochSeconds(now) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
