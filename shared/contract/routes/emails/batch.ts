import { text } from '../../../language/text.ts';
import type { Route } from '../../route.ts';
import { mostEmailsOfBatch, sendBatchHeaders, sendBatchRequest, sentBatch } from '../../schemas/email/batch.ts';
import { emailsGroup, replayHeader, sendErrors, sendOutcomes } from './group.ts';

const example = {
  from: 'Acme <hello@example.com>',
  to: ['ada@example.net'],
  subject: 'Your receipt',
  text: 'Thank you.',
};

export const sendBatchRoute = {
  id: 'emails.sendBatch',
  method: 'POST',
  path: '/api/v1/emails/batch',
  group: emailsGroup,
  summary: text({ en: 'Send up to 100 emails', fr: 'Envoyer jusqu’à 100 e-mails' }),
  description: text({
    en: 'Each email has an id and recipients of its own, and is checked as a single one is. One refused email refuses all of them before anything is sent, with its place in the paths of `details.issues`; `X-Batch-Validation: permissive` sends the others. The provider takes emails one by one: when it does not take them all in the time of the call, the answer is 502 and `details.emails` says what became of each; the same call with the same `Idempotency-Key` sends the rest. Emails with `scheduled_at` go out at their own times, and count in the month of each.',
    fr: 'Chaque e-mail a son identifiant et ses destinataires, et passe les contrôles d’un envoi à l’unité. Un seul e-mail refusé les fait tous refuser avant tout envoi, sa place étant dans les chemins de `details.issues` ; `X-Batch-Validation: permissive` envoie les autres. Le prestataire prend les e-mails un à un : s’il ne les prend pas tous dans le temps de l’appel, la réponse est 502 et `details.emails` dit ce qu’il est advenu de chacun ; le même appel avec la même `Idempotency-Key` envoie le reste. Les e-mails avec `scheduled_at` partent chacun à son heure, et comptent dans le mois où ils partent.',
  }),
  access: 'emails:send',
  request: {
    headers: sendBatchHeaders,
    body: sendBatchRequest,
    list: { mostEntries: mostEmailsOfBatch, permissive: ['x-batch-validation', 'permissive'] },
    example: [example, { ...example, to: ['grace@example.net'] }],
  },
  responses: [
    {
      status: 202,
      description: text({
        en: 'Every email that was not refused was taken by the provider, or is scheduled.',
        fr: 'Tous les e-mails qui n’étaient pas refusés ont été pris par le prestataire, ou sont programmés.',
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
  needs: { table: 'readWrite', email: ['raw'], files: ['readUpload', 'writeBody'], queues: ['scheduled-email'] },
  function: { entry: 'functions/api/emails/batch.ts', memoryMegabytes: 1024, timeoutSeconds: 29 },
} as const satisfies Route;

export const batchRoutes: readonly Route[] = [sendBatchRoute];
