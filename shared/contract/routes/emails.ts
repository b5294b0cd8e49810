import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import { sendEmailHeaders, sendEmailRequest } from '../schemas/email/request.ts';
import { sentEmail } from '../schemas/email/sent.ts';

export const emailsGroup: Group = {
  name: { en: 'Emails', fr: 'E-mails' },
  description: {
    en: 'Single messages to people who expect them, and what became of each recipient. They share the monthly quota, the suppression list and the reputation with campaigns; their recipients do not become subscribers.',
    fr: 'Des messages à l’unité pour des personnes qui les attendent, et ce qu’il advient de chaque destinataire. Ils partagent avec les campagnes le quota du mois, la liste d’exclusion et la réputation ; leurs destinataires ne deviennent pas des abonnés.',
  },
};

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
      headers: {
        'Idempotent-Replay': text({
          en: '`true` when this is the answer of an earlier identical call.',
          fr: '`true` quand c’est la réponse d’un appel identique précédent.',
        }),
      },
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
  outcomes: {
    accepted: { status: 202 },
    replayed: { status: 202, headers: { 'Idempotent-Replay': 'true' } },
  },
  errors: [
    'quota_exceeded',
    'reputation_blocked',
    'conflict',
    'idempotency_key_reused',
    'unverified_from_domain',
    'suppressed_recipient',
    'validation_error',
    'send_failed',
  ],
  needs: { table: 'readWrite', email: ['raw'], files: ['readUpload'] },
  function: { entry: 'functions/api/emails/send.ts', memoryMegabytes: 1024, timeoutSeconds: 29 },
} as const satisfies Route;

export const emailRoutes: readonly Route[] = [sendEmailRoute];
