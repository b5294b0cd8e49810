import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { maxFields, tooManyFields } from '../../contract/schemas/subscribers.ts';
import type { KnownAddress, Subscriber, SubscriberStatus } from '../../domain/person/subscriber.ts';
import { suppressionReasonTexts } from '../../domain/person/suppression.ts';
import type { Text } from '../../language/text.ts';

const gone: Partial<Record<SubscriberStatus, Text>> = {
  unsubscribed: {
    en: 'This person has unsubscribed. Only they can come back, through the sign-up form.',
    fr: 'Cette personne s’est désabonnée. Elle seule peut revenir, par le formulaire d’inscription.',
  },
  bounced: {
    en: 'This address is dead: mail to it bounced for good.',
    fr: 'Cette adresse est morte : les messages qui lui sont envoyés reviennent définitivement.',
  },
  complained: {
    en: 'This person has reported mail of this workspace as spam.',
    fr: 'Cette personne a signalé un message de cet espace comme indésirable.',
  },
};

/** Throws for somebody whom the API must leave alone: gone (409), or only on a suppression list (422). */
export function refuseGone({ person, platform }: KnownAddress): void {
  const status = person.subscriber?.status;
  const text = status && gone[status];
  if (text) throw new ServiceError('conflict', { text, details: { status } });
  const own = person.suppression && { reason: person.suppression.reason, scope: 'organization' as const };
  const found = own ?? platform;
  if (!found) return;
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `${person.email} is on the suppression list (${suppressionReasonTexts[found.reason].en}).`,
      fr: `${person.email} est sur la liste d’exclusion (${suppressionReasonTexts[found.reason].fr}).`,
    },
    details: { recipients: [{ email: person.email, reason: found.reason, scope: found.scope }] },
  });
}

/** The limit holds for what is stored in the end, not for one call. */
export function refuseTooManyFields({ fields }: Subscriber): void {
  if (Object.keys(fields).length > maxFields) throw new ValidationError([{ path: 'fields', text: tooManyFields }]);
}

export const noSender = (): ValidationError =>
  new ValidationError([
    {
      path: 'double_opt_in',
      text: {
        en: 'the workspace has no default sender to send the confirmation from; register one, or send `false` and answer for the consent',
        fr: 'l’espace n’a pas d’expéditeur par défaut pour envoyer la confirmation ; enregistrez-en un, ou envoyez `false` et répondez du consentement',
      },
    },
  ]);
