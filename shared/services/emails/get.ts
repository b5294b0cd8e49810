import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getEmailRoute } from '../../contract/routes/emails.ts';
import { addressKey } from '../../domain/address/address.ts';
import { worstStatus } from '../../domain/sending/emailStatus.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getEmail as loadEmail, type RecipientOutcome, type StoredEmail } from '../../store/sending/emails.ts';
import type { Context } from '../context.ts';

/** One email with what became of each recipient. An email that nobody has accepted yet does not exist. */
export async function getEmail(
  { workspaceId }: Context,
  { id }: Input<typeof getEmailRoute>,
): Promise<Output<typeof getEmailRoute>> {
  const email = isId('email', id) ? await loadEmail(workspaceId, id) : null;
  if (!email?.messageIds.some(Boolean) && !email?.outcomes.length) throw new ServiceError('not_found');
  return detailOf(email);
}

function detailOf(email: StoredEmail): Output<typeof getEmailRoute> {
  const { record } = email;
  const recipients = recipientsOf(email);
  const updated = recipients.map(({ updatedAt }) => updatedAt).sort();
  return {
    id: record.email_id,
    object: 'email',
    from: record.from,
    to: record.to,
    cc: record.cc,
    bcc: record.bcc,
    reply_to: record.reply_to,
    subject: record.subject,
    tags: record.tags,
    status: worstStatus(recipients.map(({ status }) => status)),
    recipients: recipients.map(({ email: address, status, updatedAt }) => ({
      email: address,
      status,
      updated_at: updatedAt,
    })),
    created_at: record.created_at,
    updated_at: updated.at(-1) ?? record.created_at,
  };
}

/** Those of accepted envelopes; `sent` until the provider says more. */
function recipientsOf(email: StoredEmail): RecipientOutcome[] {
  const known = new Map(email.outcomes.map((outcome) => [outcome.email, outcome]));
  return email.record.envelopes
    .flatMap((envelope, index) => envelope.map((address) => ({ address: addressKey(address), index })))
    .filter(({ address, index }) => email.messageIds[index] || known.has(address))
    .map(({ address }) => known.get(address) ?? { email: address, status: 'sent', updatedAt: email.record.created_at });
}
