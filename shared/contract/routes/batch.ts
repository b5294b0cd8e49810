import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { mostEmailsOfBatch, sendBatchHeaders, sendBatchRequest, sentBatch } from '../schemas/email/batch.ts';
import { sendEmailRoute } from './emails.ts';

const { example } = sendEmailRoute.request;

export const sendBatchRoute = {
  id: 'emails.sendBatch',
  method: 'POST',
  path: '/api/v1/emails/batch',
  group: sendEmailRoute.group,
  summary: text({ en: 'Send up to 100 emails', fr: 'Envoyer jusqu’à 100 e-mails' }),
  description: text({
    en: 'Each email has an id and recipients of its own, and is checked as a single one is. One refused email refuses all of them before anything is sent, with its place in the paths of `details.issues`; `X-Batch-Validation: permissive` sends the others. The provider takes emails one by one: when it does not take them all in the time of the call, the answer is 502 and `details.emails` says what became of each; the same call with the same `Idempotency-Key` sends the rest.',
    fr: 'Chaque e-mail a son identifiant et ses destinataires, et passe les contrôles d’un envoi à l’unité. Un seul e-mail refusé les fait tous refuser avant tout envoi, sa place étant dans les chemins de `details.issues` ; `X-Batch-Validation: permissive` envoie les autres. Le prestataire prend les e-mails un à un : s’il ne les prend pas tous dans le temps de l’appel, la réponse est 502 et `details.emails` dit ce qu’il est advenu de chacun ; le même appel avec la même `Idempotency-Key` envoie le reste.',
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
        en: 'The provider took every email that was not refused.',
        fr: 'Le prestataire a pris tous les e-mails qui n’étaient pas refusés.',
      }),
      schema: sentBatch,
      headers: sendEmailRoute.responses[0].headers,
      example: {
        object: 'batch',
        data: [{ id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy' }, { id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxz' }],
      },
    },
  ],
  outcomes: sendEmailRoute.outcomes,
  errors: sendEmailRoute.errors,
  needs: { table: 'readWrite', email: ['raw'] },
  function: { entry: 'functions/api/emails/batch.ts', memoryMegabytes: 1024, timeoutSeconds: 29 },
} as const satisfies Route;

export const batchRoutes: readonly Route[] = [sendBatchRoute];
