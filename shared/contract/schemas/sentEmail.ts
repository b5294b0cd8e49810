import * as z from 'zod';
import type { Text } from '../../language/text.ts';
import { constant, describe, named, timestamp } from './fields.ts';

export const sentEmail = named(
  'SentEmail',
  z.object({
    id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']),
    object: constant('email'),
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
      {
        en: 'When it will be sent; only for a scheduled email.',
        fr: 'Date d’envoi ; seulement pour un e-mail programmé.',
      },
      ['2026-12-01T08:00:00.000Z'],
    ),
  }),
);

const indexOfBatch = describe(
  z.int().min(0),
  { en: 'Its index in the request, starting at 0.', fr: 'Son indice dans la requête, à partir de 0.' },
  [3],
);
const idOfBatch = describe(z.string(), { en: 'Identifier of the email.', fr: 'Identifiant de l’e-mail.' }, [
  'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);

/** Emails that were refused before anything was sent. */
export const batchErrors = z
  .array(
    named(
      'BatchError',
      z.object({
        index: indexOfBatch,
        message: describe(
          z.string(),
          {
            en: 'Why it was refused, in the language of the call.',
            fr: 'Pourquoi il a été refusé, dans la langue de l’appel.',
          },
          ['to: must not be empty'],
        ),
      }),
    ),
  )
  .optional();

export const sentBatch = z.object({
  object: constant('batch'),
  data: describe(z.array(named('BatchEmail', z.object({ id: idOfBatch }))), {
    en: 'The emails that were sent or scheduled, in the order of the request.',
    fr: 'Les e-mails partis ou programmés, dans l’ordre de la requête.',
  }),
  errors: describe(
    batchErrors,
    {
      en: 'The refused emails; only with `permissive`.',
      fr: 'Les e-mails refusés ; seulement avec `permissive`.',
    },
    [[]],
  ),
});

const recipients = (text: Text) => describe(z.array(z.string()).optional(), text, [['ada@example.net']]);

/** The outcome of one email of a batch that was not sent completely. */
export const emailOfBatch = named(
  'BatchEmailOutcome',
  z.object({
    index: indexOfBatch,
    id: idOfBatch,
    status: describe(
      z.enum(['sent', 'scheduled', 'partial', 'not_sent', 'unknown']),
      {
        en: '`partial`: sent to some of its recipients only. `unknown`: it is not known yet whether the provider accepted it.',
        fr: '`partial` : envoyé à une partie de ses destinataires seulement. `unknown` : on ne sait pas encore si le prestataire l’a accepté.',
      },
      ['not_sent'],
    ),
    provider_code: describe(
      z.string().optional(),
      {
        en: 'The provider’s error code; `Timeout` when the call ended before the email was sent.',
        fr: 'Le code d’erreur du prestataire ; `Timeout` quand l’appel s’est terminé avant l’envoi de l’e-mail.',
      },
      ['Timeout'],
    ),
    accepted: recipients({
      en: 'Recipients whose message was accepted.',
      fr: 'Destinataires dont le message a été accepté.',
    }),
    refused: recipients({
      en: 'Recipients whose message was refused.',
      fr: 'Destinataires dont le message a été refusé.',
    }),
    unknown: recipients({
      en: 'Recipients whose outcome is not known yet.',
      fr: 'Destinataires dont l’issue n’est pas encore connue.',
    }),
  }),
);
