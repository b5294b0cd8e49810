import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  maxBatchEmails,
  sendBatchHeaders,
  sendBatchRequest,
  sendEmailHeaders,
  sendEmailRequest,
} from '../schemas/emailRequest.ts';
import { replayHeader } from '../schemas/fields.ts';
import { sentBatch, sentEmail } from '../schemas/sentEmail.ts';

const sendOutcomes = {
  accepted: { status: 202 },
  replayed: { status: 202, headers: { 'Idempotent-Replay': 'true' } },
} as const;

const sendErrors = [
  'quota_exceeded',
  'reputation_blocked',
  'conflict',
  'idempotency_key_reused',
  'unverified_from_domain',
  'suppressed_recipient',
  'validation_error',
  'send_failed',
] as const;

export const sendEmailRoute = {
  id: 'emails.send',
  method: 'POST',
  path: '/api/v1/emails',
  group: 'emails',
  summary: text({ en: 'Send a single email', fr: 'Envoyer un e-mail' }),
  description: text({
    en: 'Sends one message to all its recipients or to none: one refused address refuses the whole call. Another spelling of a field, such as `scheduledAt`, is that field. Other unknown fields are ignored and named in the header `Mailroom-Ignored`.',
    fr: 'Envoie un message à tous ses destinataires ou à aucun : une seule adresse refusée fait refuser tout l’appel. Une autre graphie d’un champ, comme `scheduledAt`, est ce champ. Les autres champs inconnus sont ignorés et nommés dans l’en-tête `Mailroom-Ignored`.',
  }),
  access: 'emails:send',
  throttle: 'routes',
  request: {
    headers: sendEmailHeaders,
    body: sendEmailRequest,
    example: {
      from: 'Acme <hello@example.com>',
      to: ['ada@example.net'],
      subject: 'Your receipt',
      html: '<p>Thank you.</p>',
      text: 'Thank you.',
    },
  },
  responses: [
    {
      status: 202,
      description: text({
        en: 'The provider accepted the message; or the service keeps it: until `scheduled_at`, or, while the provider’s sending rate is used up, for some seconds, ten minutes at most. `GET /emails/{id}` shows a kept one as `scheduled`, until the provider has accepted it (`sent`) or it was refused when it went out (`canceled`).',
        fr: 'Le prestataire a accepté le message ; ou bien le service le garde : jusqu’à `scheduled_at` ou, tant que le débit du prestataire est épuisé, quelques secondes, dix minutes au plus. `GET /emails/{id}` montre un e-mail gardé comme `scheduled`, jusqu’à ce que le prestataire l’ait accepté (`sent`) ou qu’il soit refusé au moment de partir (`canceled`).',
      }),
      schema: sentEmail,
      headers: replayHeader,
      example: {
        id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
        object: 'email',
        from: 'Acme <hello@example.com>',
        to: ['ada@example.net'],
        subject: 'Your receipt',
        created_at: '2026-11-21T10:30:00.000Z',
      },
    },
  ],
  outcomes: sendOutcomes,
  errors: sendErrors,
  needs: {
    // What SES defers for its rate is kept, at the pace that the account's limits allow.
    ...{
      table: 'readWrite',
      email: ['raw', 'account'],
      files: ['readUpload', 'writeBody'],
      queues: ['confirmation', 'webhook-delivery'],
    },
    // Sends of an earlier call with an unknown outcome are repeated only when no event is waiting to be read.
    watchedQueues: ['feedback'],
  },
  function: { entry: 'functions/api/emails/send.ts', memoryMegabytes: 600, timeoutSeconds: 29 },
} as const satisfies Route;

const batchExample = {
  from: 'Acme <hello@example.com>',
  to: ['ada@example.net'],
  subject: 'Your receipt',
  text: 'Thank you.',
};

export const sendBatchRoute = {
  id: 'emails.sendBatch',
  method: 'POST',
  path: '/api/v1/emails/batch',
  group: 'emails',
  summary: text({ en: 'Send up to 100 emails', fr: 'Envoyer jusqu’à 100 e-mails' }),
  description: text({
    en: 'Each email has its own id and recipients, and is checked like a single email. One refused email refuses all of them before anything is sent; the paths in `details.issues` start with its index. With `X-Batch-Validation: permissive`, the others are sent. The provider accepts emails one by one. What it defers for its sending rate alone is kept, as for a single email. If it does not accept all of the others, the answer is 502 and `details.emails` has the outcome of each; the same call with the same `Idempotency-Key` sends the rest. Emails with `scheduled_at` are sent at their own time and count in the month in which they are sent.',
    fr: 'Chaque e-mail a son propre identifiant et ses propres destinataires, et passe les mêmes contrôles qu’un e-mail à l’unité. Un seul e-mail refusé les fait tous refuser avant tout envoi ; les chemins de `details.issues` commencent par son indice. Avec `X-Batch-Validation: permissive`, les autres partent. Le prestataire accepte les e-mails un à un. Ce qu’il diffère à cause de son seul débit est gardé, comme pour un e-mail à l’unité. S’il n’accepte pas tous les autres, la réponse est 502 et `details.emails` donne l’issue de chacun ; le même appel avec la même `Idempotency-Key` envoie le reste. Les e-mails avec `scheduled_at` partent à leur propre heure et comptent dans le mois où ils partent.',
  }),
  access: 'emails:send',
  throttle: 'routes',
  request: {
    headers: sendBatchHeaders,
    body: sendBatchRequest,
    list: { maxEntries: maxBatchEmails, permissive: ['x-batch-validation', 'permissive'] },
    example: [batchExample, { ...batchExample, to: ['grace@example.net'] }],
  },
  responses: [
    {
      status: 202,
      description: text({
        en: 'The provider accepted every email that was not refused, or the email is scheduled, or kept while the provider’s sending rate is used up.',
        fr: 'Le prestataire a accepté tous les e-mails qui n’ont pas été refusés, ou ils sont programmés, ou gardés tant que le débit du prestataire est épuisé.',
      }),
      schema: sentBatch,
      headers: replayHeader,
      example: {
        object: 'batch',
        data: [{ id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy' }, { id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxz' }],
      },
    },
  ],
  outcomes: sendOutcomes,
  errors: sendErrors,
  needs: {
    ...{
      table: 'readWrite',
      email: ['raw', 'account'],
      files: ['readUpload', 'writeBody'],
      queues: ['confirmation', 'webhook-delivery'],
    },
    // Sends of an earlier call with an unknown outcome are repeated only when no event is waiting to be read.
    watchedQueues: ['feedback'],
  },
  function: { entry: 'functions/api/emails/batch.ts', memoryMegabytes: 1024, timeoutSeconds: 29 },
} as const satisfies Route;

export const emailRoutes: readonly Route[] = [sendEmailRoute, sendBatchRoute];
