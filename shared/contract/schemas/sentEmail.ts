import * as z from 'zod';
import { describe } from '../describe.ts';

const timestamp = (en: string, fr: string) => describe(z.string(), en, fr, ['2026-11-21T10:30:00.000Z']);
const object = <T extends string>(name: T) => describe(z.literal(name), `Always \`${name}\`.`, `Toujours \`${name}\`.`);

export const sentEmail = z.object({
  id: describe(z.string(), 'Identifier.', 'Identifiant.', ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), 'Sender, as given.', 'Expéditeur, tel que donné.', ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), 'Recipients, as given.', 'Destinataires, tels que donnés.', [['ada@example.net']]),
  subject: describe(z.string(), 'Subject.', 'Objet.', ['Your receipt']),
  created_at: timestamp('When the call was accepted, ISO 8601 UTC.', 'Date d’acceptation, ISO 8601 UTC.'),
});

export const emailStatus = z.enum(['sent', 'delivered', 'bounced', 'complained']);

export const emailDetail = z.object({
  id: describe(z.string(), 'Identifier.', 'Identifiant.', ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  object: object('email'),
  from: describe(z.string(), 'Sender.', 'Expéditeur.', ['Acme <hello@example.com>']),
  to: describe(z.array(z.string()), 'Recipients.', 'Destinataires.', [['ada@example.net']]),
  cc: describe(z.array(z.string()), 'Visible copies.', 'Copies visibles.', [[]]),
  bcc: describe(z.array(z.string()), 'Blind copies.', 'Copies cachées.', [[]]),
  reply_to: describe(z.array(z.string()), 'Reply addresses.', 'Adresses de réponse.', [[]]),
  subject: describe(z.string(), 'Subject.', 'Objet.', ['Your receipt']),
  tags: describe(
    z.array(
      z.object({
        name: z.string().meta({ text: { en: 'Label name.', fr: 'Nom de l’étiquette.' } }),
        value: z.string().meta({ text: { en: 'Label value.', fr: 'Valeur de l’étiquette.' } }),
      }),
    ),
    'Labels.',
    'Étiquettes.',
    [[]],
  ),
  status: describe(emailStatus, 'The worst status of its recipients.', 'Le pire des statuts de ses destinataires.', [
    'delivered',
  ]),
  recipients: describe(
    z.array(
      z.object({
        email: describe(z.string(), 'Address.', 'Adresse.', ['ada@example.net']),
        status: describe(emailStatus, 'Status of this recipient.', 'Statut de ce destinataire.', ['delivered']),
        updated_at: timestamp('When it last changed.', 'Date de dernier changement.'),
      }),
    ),
    'What became of each recipient.',
    'Ce qu’il est advenu de chaque destinataire.',
  ),
  created_at: timestamp('When the call was accepted.', 'Date d’acceptation.'),
  updated_at: timestamp('When the status last changed.', 'Date du dernier changement de statut.'),
});
