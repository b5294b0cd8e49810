import * as z from 'zod';
import { emailStatuses } from '../../../domain/sending/emailStatus.ts';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';

const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);
const object = <T extends string>(name: T) =>
  describe(z.literal(name), { en: `Always \`${name}\`.`, fr: `Toujours \`${name}\`.` });

export const sentEmail = z.object({
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), { en: 'Sender, as given.', fr: 'Expéditeur, tel que donné.' }, [
    'Acme <hello@example.com>',
  ]),
  to: describe(z.array(z.string()), { en: 'Recipients, as given.', fr: 'Destinataires, tels que donnés.' }, [
    ['ada@example.net'],
  ]),
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Your receipt']),
  created_at: timestamp({ en: 'When the call was accepted, ISO 8601 UTC.', fr: 'Date d’acceptation, ISO 8601 UTC.' }),
});

const emailStatus = z.enum(emailStatuses);

export const emailDetail = z.object({
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), { en: 'Sender.', fr: 'Expéditeur.' }, ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), { en: 'Recipients.', fr: 'Destinataires.' }, [['ada@example.net']]),
  cc: describe(z.array(z.string()), { en: 'Visible copies.', fr: 'Copies visibles.' }, [[]]),
  bcc: describe(z.array(z.string()), { en: 'Blind copies.', fr: 'Copies cachées.' }, [[]]),
  reply_to: describe(z.array(z.string()), { en: 'Reply addresses.', fr: 'Adresses de réponse.' }, [[]]),
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Your receipt']),
  tags: describe(
    z.array(
      z.object({
        name: describe(z.string(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
        value: describe(z.string(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
      }),
    ),
    { en: 'Labels.', fr: 'Étiquettes.' },
    [[]],
  ),
  status: describe(
    emailStatus,
    { en: 'The worst status of its recipients.', fr: 'Le pire des statuts de ses destinataires.' },
    ['delivered'],
  ),
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
  created_at: timestamp({ en: 'When the call was accepted.', fr: 'Date d’acceptation.' }),
  updated_at: timestamp({ en: 'When the status last changed.', fr: 'Date du dernier changement de statut.' }),
});
