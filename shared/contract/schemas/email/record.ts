import * as z from 'zod';
import { emailStatuses } from '../../../domain/sending/emailStatus.ts';
import { describe } from '../../describe.ts';
import { object, timestamp } from './fields.ts';
import { scheduleFields } from './scheduled.ts';
import { emailStoryEvent } from './story.ts';
import { templateVersion } from './templateVersion.ts';

export const emailIdPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the email.', fr: 'Identifiant de l’e-mail.' }, [
    'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
});

const emailStatus = z.enum(emailStatuses);

const tag = z.object({
  name: describe(z.string(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
  value: describe(z.string(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
});

/** What the list shows of an email; the detail shows more. */
const summary = {
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), { en: 'Sender.', fr: 'Expéditeur.' }, ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), { en: 'Recipients.', fr: 'Destinataires.' }, [['ada@example.net']]),
  cc: describe(z.array(z.string()), { en: 'Visible copies.', fr: 'Copies visibles.' }, [[]]),
  bcc: describe(z.array(z.string()), { en: 'Blind copies.', fr: 'Copies cachées.' }, [[]]),
  reply_to: describe(z.array(z.string()), { en: 'Reply addresses.', fr: 'Adresses de réponse.' }, [[]]),
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Your receipt']),
  tags: describe(z.array(tag), { en: 'Labels.', fr: 'Étiquettes.' }, [[]]),
  status: describe(
    z.enum(['scheduled', 'canceled', ...emailStatuses]),
    {
      en: 'The worst status of its recipients; `scheduled` or `canceled` of one that was not sent.',
      fr: 'Le pire des statuts de ses destinataires ; `scheduled` ou `canceled` pour un e-mail qui n’est pas parti.',
    },
    ['delivered'],
  ),
  ...scheduleFields,
  created_at: timestamp({ en: 'When the call was accepted.', fr: 'Date d’acceptation.' }),
  updated_at: timestamp({ en: 'When the status last changed.', fr: 'Date du dernier changement de statut.' }),
};

export const emailSummary = z.object(summary);

const { created_at, updated_at, ...beforeRecipients } = summary;

export const emailDetail = z.object({
  ...beforeRecipients,
  recipients: describe(
    z.array(
      z.object({
        email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['ada@example.net']),
        status: describe(emailStatus, { en: 'Status of this recipient.', fr: 'Statut de ce destinataire.' }, [
          'delivered',
        ]),
        updated_at: timestamp({ en: 'When it last changed.', fr: 'Date de dernier changement.' }),
      }),
    ),
    { en: 'What became of each recipient.', fr: 'Ce qu’il est advenu de chaque destinataire.' },
  ),
  template: describe(templateVersion.optional(), {
    en: 'The template it was made of; absent when there was none.',
    fr: 'Le modèle dont il est fait ; absent s’il n’y en avait pas.',
  }),
  created_at,
  updated_at,
  events: describe(z.array(emailStoryEvent), {
    en: 'The story of the email, oldest first. Of delays, opens and clicks the first 10 of each recipient; none of these where the deployment keeps no list of emails.',
    fr: 'L’histoire de l’e-mail, du plus ancien au plus récent. Des retards, ouvertures et clics, les 10 premiers de chaque destinataire ; aucun quand le déploiement ne tient pas de liste des e-mails.',
  }),
  events_omitted: describe(
    z.int(),
    {
      en: 'How many more delays, opens and clicks there were.',
      fr: 'Combien de retards, d’ouvertures et de clics il y a eu en plus.',
    },
    [0],
  ),
});
