import * as z from 'zod';
import { describe } from '../../describe.ts';
import { object, timestamp } from './fields.ts';

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
  scheduled_at: describe(
    z.string().optional(),
    { en: 'When it goes out, if not at once.', fr: 'Date d’envoi, s’il ne part pas aussitôt.' },
    ['2026-12-01T08:00:00.000Z'],
  ),
});
