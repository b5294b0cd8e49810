import type { Output } from '../../../contract/route.ts';
import type { getEmailRoute } from '../../../contract/routes/emailRecords.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';

type Detail = Output<typeof getEmailRoute>;

/** An email that is not out: to whom it would go, when, or why it does not. */
export function shownScheduled(email: ScheduledEmail): Detail {
  const { id, content, state, scheduledAt, createdAt, updatedAt, reason = 'requested', providerCode } = email;
  const { from, to, cc, bcc, replyTo, subject, tags, template } = content;
  const isCanceled = state === 'canceled';
  const scheduled = { type: 'scheduled', recipient: null, at: createdAt, scheduled_at: scheduledAt } as const;
  const canceled = { type: 'canceled', recipient: null, at: updatedAt, reason } as const;
  return {
    id,
    object: 'email',
    from,
    to,
    cc,
    bcc,
    reply_to: replyTo,
    subject,
    tags,
    status: isCanceled ? 'canceled' : 'scheduled',
    scheduled_at: scheduledAt,
    ...(isCanceled && { cancel_reason: reason, ...(providerCode && { provider_code: providerCode }) }),
    recipients: [],
    ...(template && { template }),
    created_at: createdAt,
    updated_at: updatedAt,
    events: isCanceled ? [scheduled, canceled] : [scheduled],
    events_omitted: 0,
  };
}
