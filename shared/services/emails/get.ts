import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getEmailRoute } from '../../contract/routes/emails.ts';
import { addressKey } from '../../domain/address/address.ts';
import { worstStatus } from '../../domain/sending/emailStatus.ts';
import { isId } from '../../domain/token/identifier.ts';
import { type EmailWithOutcomes, getEmail as loadEmail } from '../../store/sending/emails.ts';
import type { RecipientOutcome } from '../../store/sending/outcomes.ts';
import type { Context } from '../context.ts';

/** One email with what became of each recipient. An email that nobody has accepted yet does not exist. */
export async function getEmail(
  { workspaceId }: Context,
  { id }: Input<typeof getEmailRoute>,
): Promise<Output<typeof getEmailRoute>> {
  const found = isId('email', id) ? await loadEmail(workspaceId, id) : null;
  if (!found?.messageIds.some(Boolean) && !found?.outcomes.length) throw new ServiceError('not_found');
  return detailOf(found);
}

function detailOf(found: EmailWithOutcomes): Output<typeof getEmailRoute> {
  const { email } = found;
  const recipients = recipientsOf(found);
  const updated = recipients.map(({ updatedAt }) => updatedAt).sort();
  return {
    id: email.id,
    object: 'email',
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    reply_to: email.replyTo,
    subject: email.subject,
    tags: email.tags,
    status: worstStatus(recipients.map(({ status }) => status)),
    recipients: recipients.map(({ email: address, status, updatedAt }) => ({
      email: address,
      status,
      updated_at: updatedAt,
    })),
    created_at: email.createdAt,
    updated_at: updated.at(-1) ?? email.createdAt,
  };
}

/** Those of accepted envelopes; `sent` until the provider says more. */
function recipientsOf({ email, messageIds, outcomes }: EmailWithOutcomes): RecipientOutcome[] {
  const known = new Map(outcomes.map((outcome) => [outcome.email, outcome]));
  return email.envelopes
    .flatMap((envelope, index) => envelope.map((address) => ({ address: addressKey(address), index })))
    .filter(({ address, index }) => messageIds[index] || known.has(address))
    .map(({ address }) => known.get(address) ?? { email: address, status: 'sent', updatedAt: email.createdAt });
}
