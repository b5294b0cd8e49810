import type { Output } from '../../../contract/route.ts';
import type { getEmailRoute, listEmailsRoute } from '../../../contract/routes/emailRecords.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';

type Detail = Output<typeof getEmailRoute>;
type Summary = Output<typeof listEmailsRoute>['data'][number];

/** An email that is not out: to whom it would go, when, or why it does not. */
export function shownScheduled(email: ScheduledEmail): Detail {
  const { content, state, scheduledAt, createdAt, updatedAt, reason = 'requested' } = email;
  const { created_at, updated_at, ...fields } = summaryOfScheduled(email);
  const scheduled = { type: 'scheduled', recipient: null, at: createdAt, scheduled_at: scheduledAt } as const;
  const canceled = { type: 'canceled', recipient: null, at: updatedAt, reason } as const;
  return {
    ...fields,
    recipients: [],
    ...(content.template && { template: content.template }),
    created_at,
    updated_at,
    events: state === 'canceled' ? [scheduled, canceled] : [scheduled],
    events_omitted: 0,
  };
}

/** What the list tells of it. */
export function summaryOfScheduled(email: ScheduledEmail): Summary {
  const { id, content, state, scheduledAt, createdAt, updatedAt, reason = 'requested', providerCode } = email;
  const { from, to, cc, bcc, replyTo, subject, tags } = content;
  const isCanceled = state === 'canceled';
  return {
    ...{ id, object: 'email', from, to, cc, bcc, reply_to: replyTo, subject, tags },
    status: isCanceled ? 'canceled' : 'scheduled',
    scheduled_at: scheduledAt,
    ...(isCanceled && { cancel_reason: reason, ...(providerCode && { provider_code: providerCode }) }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
