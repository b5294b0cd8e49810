import type { Output } from '../../../contract/route.ts';
import type { getEmailRoute, listEmailsRoute } from '../../../contract/routes/emailRecords.ts';
import { addressKey } from '../../../domain/address/address.ts';
import { worstStatus } from '../../../domain/sending/emailStatus.ts';
import type { EmailWithOutcomes } from '../../../store/sending/emails.ts';
import type { ListedEmail } from '../../../store/sending/listing.ts';
import type { RecipientOutcome } from '../../../store/sending/outcomes.ts';
import type { OutcomeWithStory } from '../../../store/sending/story.ts';
import { summaryOfScheduled } from '../scheduled/shown.ts';
import { shownStory } from './story.ts';

type Detail = Output<typeof getEmailRoute>;
type Summary = Output<typeof listEmailsRoute>['data'][number];
type KnownRecipient = Pick<RecipientOutcome, 'email' | 'status' | 'updatedAt'>;

export function detailOf(found: EmailWithOutcomes<OutcomeWithStory>): Detail {
  const recipients = recipientsOf(found);
  const { created_at, updated_at, scheduled_at, ...fields } = shownFields(found, recipients);
  const shown = recipients.map(({ email, status, updatedAt }) => ({ email, status, updated_at: updatedAt }));
  const { template } = found.email;
  const made = { ...(scheduled_at && { scheduled_at }), recipients: shown, ...(template && { template }) };
  return { ...fields, ...made, created_at, updated_at, ...shownStory(found, recipients) };
}

export const summaryOf = (listed: ListedEmail): Summary =>
  listed.kind === 'scheduled'
    ? summaryOfScheduled(listed.email)
    : shownFields(listed.email, recipientsOf(listed.email));

function shownFields({ email }: EmailWithOutcomes, recipients: readonly KnownRecipient[]) {
  const updated = recipients.map(({ updatedAt }) => updatedAt).sort();
  return {
    id: email.id,
    object: 'email' as const,
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    reply_to: email.replyTo,
    subject: email.subject,
    tags: email.tags,
    status: worstStatus(recipients.map(({ status }) => status)),
    ...(email.scheduledAt !== undefined && { scheduled_at: email.scheduledAt }),
    created_at: email.createdAt,
    updated_at: updated.at(-1) ?? email.scheduledAt ?? email.createdAt,
  };
}

/** Those of accepted envelopes; `sent` until the provider says more, whatever else was noted of them. */
function recipientsOf({ email, messageIds, outcomes }: EmailWithOutcomes): KnownRecipient[] {
  const known = new Map(outcomes.map((outcome) => [outcome.email, outcome]));
  return email.envelopes
    .flatMap((envelope, index) => envelope.map((address) => ({ address: addressKey(address), index })))
    .filter(({ address, index }) => messageIds[index] || known.has(address))
    .map(({ address }) => {
      const outcome = known.get(address);
      const isMoved = outcome && outcome.status !== 'sent';
      return isMoved ? outcome : { email: address, status: 'sent', updatedAt: email.scheduledAt ?? email.createdAt };
    });
}
