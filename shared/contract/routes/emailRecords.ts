import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  canceledEmail,
  emailDetail,
  emailIdPath,
  emailList,
  listEmailsQuery,
  rescheduledEmail,
  updateEmailRequest,
} from '../schemas/emailRecord.ts';

export const getEmailRoute = {
  id: 'emails.get',
  method: 'GET',
  path: '/api/v1/emails/{id}',
  group: 'emails',
  summary: text({ en: 'Read the status of an email', fr: 'Lire le statut d’un e-mail' }),
  description: text({
    en: 'Status of the email and of each recipient, and the events so far. Bodies and attachments are not stored.',
    fr: 'Statut de l’e-mail et de chaque destinataire, et les événements jusqu’ici. Ni le corps ni les pièces jointes ne sont conservés.',
  }),
  access: 'emails:send',
  throttle: 'lookups',
  request: { path: emailIdPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The email.', fr: 'L’e-mail.' }),
      schema: emailDetail,
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read', files: ['readArchive'] },
  function: { entry: 'functions/api/emails/get.ts' },
} as const satisfies Route;

export const listEmailsRoute = {
  id: 'emails.list',
  method: 'GET',
  path: '/api/v1/emails',
  group: 'emails',
  summary: text({ en: 'List emails', fr: 'Lister les e-mails' }),
  description: text({
    en: 'Newest first, with a delay of some seconds. With `recipient`, what one person was sent: single emails, and, if the key has `campaigns:read` and `subscribers:read`, messages of campaigns (`object: campaign_recipient`) with what became of each; a page looks at a limited number of campaigns. That, and what is older than a month, can leave a page with fewer entries than `limit`, even none, while `has_more` is true. A setting of the deployment (`emailList`) decides which lists exist: none; all emails and those with a `status`; also those by `recipient` (default); or those by `tag` too. The last two contain sent emails only. A list that does not exist is refused with 422 `validation_error`. Emails that were sent before a list was turned on are not in it.',
    fr: 'Du plus récent au plus ancien, avec quelques secondes de retard. Avec `recipient`, ce qu’une personne a reçu : les e-mails à l’unité et, si la clé a `campaigns:read` et `subscribers:read`, les messages de campagnes (`object: campaign_recipient`) avec ce qu’est devenu chacun ; une page examine un nombre limité de campagnes. Pour cette raison, et parmi les e-mails de plus d’un mois, elle peut compter moins d’entrées que `limit`, voire aucune, tant que `has_more` est vrai. Un réglage du déploiement (`emailList`) décide quelles listes existent : aucune ; tous les e-mails et ceux d’un `status` ; en plus ceux d’un `recipient` (par défaut) ; ou aussi ceux d’un `tag`. Les deux dernières ne contiennent que ce qui a été envoyé. Une liste qui n’existe pas est refusée par un 422 `validation_error`. Les e-mails envoyés avant l’activation d’une liste n’y figurent pas.',
  }),
  access: 'emails:send',
  throttle: 'lookups',
  request: { query: listEmailsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: emailList,
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true, files: ['readArchive'] },
  function: { entry: 'functions/api/emails/list.ts' },
} as const satisfies Route;

export const cancelEmailRoute = {
  id: 'emails.cancel',
  method: 'POST',
  path: '/api/v1/emails/{id}/cancel',
  group: 'emails',
  summary: text({ en: 'Cancel a scheduled email', fr: 'Annuler un e-mail programmé' }),
  description: text({
    en: 'The email is not sent. 409 `conflict` with the `status` of the email when it is too late. Canceling again has no effect.',
    fr: 'L’e-mail n’est pas envoyé. 409 `conflict` avec le `status` de l’e-mail quand il est trop tard. Annuler de nouveau n’a aucun effet.',
  }),
  access: 'emails:send',
  throttle: 'lookups',
  request: { path: emailIdPath },
  responses: [
    { status: 200, description: text({ en: 'The canceled email.', fr: 'L’e-mail annulé.' }), schema: canceledEmail },
  ],
  errors: ['not_found', 'conflict'],
  needs: { table: 'readWrite', files: ['deleteBody', 'readArchive'], queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/emails/cancel.ts' },
} as const satisfies Route;

export const updateEmailRoute = {
  id: 'emails.update',
  method: 'PATCH',
  path: '/api/v1/emails/{id}',
  group: 'emails',
  summary: text({ en: 'Reschedule an email', fr: 'Reprogrammer un e-mail' }),
  description: text({
    en: 'Changes the time of a scheduled email. 409 `conflict` with its `status` when it is too late or the email was canceled.',
    fr: 'Change l’heure d’un e-mail programmé. 409 `conflict` avec son `status` quand il est trop tard ou que l’e-mail a été annulé.',
  }),
  access: 'emails:send',
  throttle: 'lookups',
  request: {
    path: emailIdPath,
    body: updateEmailRequest,
    example: { scheduled_at: '2026-12-01T09:00:00+01:00' },
  },
  responses: [
    {
      status: 200,
      description: text({ en: 'The rescheduled email.', fr: 'L’e-mail reprogrammé.' }),
      schema: rescheduledEmail,
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: {
    table: 'readWrite',
    files: ['readBody', 'writeBody', 'deleteBody', 'readArchive'],
    queues: ['confirmation'],
  },
  function: { entry: 'functions/api/emails/update.ts' },
} as const satisfies Route;

export const emailRecordRoutes: readonly Route[] = [listEmailsRoute, getEmailRoute, cancelEmailRoute, updateEmailRoute];
