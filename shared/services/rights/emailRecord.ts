import type { Renaming } from '../../domain/person/erased.ts';
import { scheduledOf } from '../../store/scheduled/scheduledItem.ts';
import type { EmailContent } from '../../store/sending/email.ts';
import { findEmail, readEmail } from '../../store/sending/emails.ts';
import { attemptsOf } from '../../store/sending/sends.ts';
import { outcomeWithStoryOf } from '../../store/sending/story.ts';
import { shownEvents } from '../emails/reading/story.ts';

/** An email as one of its recipients may see it: of the others it tells nothing. */
export async function emailRecordOf(workspaceId: string, emailId: string, names: Renaming): Promise<object | null> {
  const found = await readEmail(workspaceId, emailId, outcomeWithStoryOf);
  if (!found) return null;
  const { email, messageIds, outcomes } = found;
  const envelope = email.envelopes.findIndex((addresses) => addresses.some((address) => names.isAddress(address)));
  const own = outcomes.find(({ email: address }) => names.isAddress(address));
  return {
    object: 'email',
    id: email.id,
    ...sharedFields(email, names),
    provider_message_id: messageIds[envelope] ?? null,
    status: own?.status ?? (messageIds[envelope] ? 'sent' : null),
    created_at: email.createdAt,
    updated_at: own?.updatedAt ?? email.createdAt,
    events: own ? shownEvents(own) : [],
    events_omitted: own?.story.more ?? 0,
  };
}

/** Tries at emails of which the provider is not known to have taken anything. */
export async function attemptRecordsOf(
  workspaceId: string,
  item: Record<string, unknown>,
  names: Renaming,
): Promise<object[]> {
  const own = attemptsOf(item).filter(({ envelopes }) => envelopes.flat().some((address) => names.isAddress(address)));
  const records = own.map(async (email) => {
    if (await findEmail(workspaceId, email.id)) return [];
    return [{ object: 'email_attempt', id: email.id, ...sharedFields(email, names), created_at: email.createdAt }];
  });
  return (await Promise.all(records)).flat();
}

/** An email that is to go out later, or was never sent. */
export function scheduledRecordOf(item: Record<string, unknown>, names: Renaming): object {
  const { id, content, state, scheduledAt, createdAt } = scheduledOf(item);
  const shared = sharedFields(content, names);
  return { object: 'scheduled_email', id, ...shared, status: state, scheduled_at: scheduledAt, created_at: createdAt };
}

const sharedFields = (email: EmailContent, names: Renaming) => ({
  from: email.from,
  as: (['to', 'cc', 'bcc'] as const).filter((field) => email[field].some((entry) => names.isAddress(entry))),
  written_as: [...email.to, ...email.cc, ...email.bcc].filter((entry) => names.isAddress(entry)),
  subject: email.subject,
  tags: email.tags,
});
