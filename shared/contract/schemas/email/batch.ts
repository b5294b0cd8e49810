import * as z from 'zod';
import { describe } from '../../describe.ts';
import { sendEmailHeaders, sendEmailRequest } from './request.ts';

export const mostEmailsOfBatch = 100;

export const sendBatchRequest = describe(z.array(sendEmailRequest).min(1).max(mostEmailsOfBatch), {
  en: '1 to 100 emails, each as the body of `POST /emails`.',
  fr: 'De 1 à 100 e-mails, chacun comme le corps de `POST /emails`.',
});

export const sendBatchHeaders = z.object({
  'idempotency-key': describe(sendEmailHeaders.shape['idempotency-key'], {
    en: 'One unique value for the whole batch; the same call with the same key is answered again, and what it had not sent yet is sent. Kept 24 hours.',
    fr: 'Une valeur unique pour tout le lot ; le même appel avec la même clé reçoit la même réponse, et ce qui n’était pas encore parti part. Gardée 24 heures.',
  }),
  'x-batch-validation': describe(
    z.enum(['strict', 'permissive']).default('strict'),
    {
      en: '`strict`: one refused email refuses all of them. `permissive`: the others are sent, and `errors` names the refused ones.',
      fr: '`strict` : un seul e-mail refusé les fait tous refuser. `permissive` : les autres partent, et `errors` nomme les refusés.',
    },
    ['permissive'],
  ),
});

export const indexOfBatch = describe(
  z.int().min(0),
  { en: 'Its place in the request, from 0.', fr: 'Sa place dans la requête, à partir de 0.' },
  [3],
);
export const idOfBatch = describe(z.string(), { en: 'Identifier of the email.', fr: 'Identifiant de l’e-mail.' }, [
  'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);

/** Emails that were refused before anything was sent. */
export const batchErrors = z
  .array(
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
  )
  .optional();

export const sentBatch = z.object({
  object: describe(z.literal('batch'), { en: 'Always `batch`.', fr: 'Toujours `batch`.' }),
  data: describe(z.array(z.object({ id: idOfBatch })), {
    en: 'The emails that were sent or scheduled, in the order of the request.',
    fr: 'Les e-mails partis ou programmés, dans l’ordre de la requête.',
  }),
  errors: describe(
    batchErrors,
    {
      en: 'The emails that were refused; with `permissive` only.',
      fr: 'Les e-mails refusés ; seulement avec `permissive`.',
    },
    [[]],
  ),
});
