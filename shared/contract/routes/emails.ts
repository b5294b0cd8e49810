import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { sendEmailHeaders, sendEmailRequest } from '../schemas/email/request.ts';
import { sentEmail } from '../schemas/email/sent.ts';
import { emailsGroup, replayHeader, sendErrors, sendOutcomes } from './emails/group.ts';

export const sendEmailRoute = {
  id: 'emails.send',
  method: 'POST',
  path: '/api/v1/emails',
  group: emailsGroup,
  summary: text({ en: 'Send a single email', fr: 'Envoyer un e-mail' }),
  description: text({
    en: 'Sends one message to all its recipients or to none: a single refused address refuses the call. Unknown fields are ignored.',
    fr: 'Envoie un message à tous ses destinataires ou à aucun : une seule adresse refusée fait refuser l’appel. Les champs inconnus sont ignorés.',
  }),
  access: 'emails:send',
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
      description: text({ en: 'The provider took the message.', fr: 'Le prestataire a pris le message.' }),
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
  needs: { table: 'readWrite', email: ['raw'], files: ['readUpload', 'writeBody'], queues: ['scheduled-email'] },
  function: { entry: 'functions/api/emails/send.ts', memoryMegabytes: 600, timeoutSeconds: 29 },
} as const satisfies Route;

export const emailRoutes: readonly Route[] = [sendEmailRoute];
