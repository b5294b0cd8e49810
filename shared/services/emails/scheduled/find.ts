import { ServiceError } from '../../../contract/errors.ts';
import { isId } from '../../../domain/token/identifier.ts';
import { type Text, text } from '../../../language/text.ts';
import { getScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { findEmail } from '../../../store/sending/emails.ts';

const texts: Record<'sent' | 'sending' | 'canceled', Text> = {
  sent: text({
    en: 'It is too late: the email was sent.',
    fr: 'Il est trop tard : l’e-mail est parti.',
  }),
  sending: text({
    en: 'It is too late: the email is going out.',
    fr: 'Il est trop tard : l’e-mail est en train de partir.',
  }),
  canceled: text({
    en: 'The email was canceled: schedule a new one.',
    fr: 'L’e-mail a été annulé : programmez-en un nouveau.',
  }),
};

/** What keeps a scheduled email from being changed. */
export const tooLate = (status: keyof typeof texts): ServiceError =>
  new ServiceError('conflict', { text: texts[status], details: { status } });

/** A scheduled email as it stands. Throws `not_found`, or `conflict` for one that is out. */
export async function findScheduled(workspaceId: string, id: string): Promise<ScheduledEmail> {
  const found = isId('email', id) ? await getScheduled({ workspaceId, id }) : null;
  if (found) return found;
  if (isId('email', id) && (await findEmail(workspaceId, id))) throw tooLate('sent');
  throw new ServiceError('not_found');
}
