import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { emailList, listEmailsQuery } from '../schemas/email/list.ts';
import { emailDetail, emailIdPath } from '../schemas/email/record.ts';
import { emailsGroup } from './emails/group.ts';

export const getEmailRoute = {
  id: 'emails.get',
  method: 'GET',
  path: '/api/v1/emails/{id}',
  group: emailsGroup,
  summary: text({ en: 'Read the status of an email', fr: 'Lire le statut d’un e-mail' }),
  description: text({
    en: 'Status of the email and of each recipient, and what happened to it. Bodies and attachments are not kept.',
    fr: 'Statut de l’e-mail et de chaque destinataire, et ce qu’il est devenu. Ni le corps ni les pièces jointes ne sont gardés.',
  }),
  access: 'emails:send',
  request: { path: emailIdPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The email.', fr: 'L’e-mail.' }),
      schema: emailDetail,
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/emails/get.ts' },
} as const satisfies Route;

export const listEmailsRoute = {
  id: 'emails.list',
  method: 'GET',
  path: '/api/v1/emails',
  group: emailsGroup,
  summary: text({ en: 'List emails', fr: 'Lister les e-mails' }),
  description: text({
    en: 'Newest first, some seconds behind. Which lists there are is a setting of the deployment (`emailList`): none, that of all emails and of the scheduled, canceled, bounced and complained ones, or those by `recipient` and `tag` besides, which hold what went out. One that is not kept is answered with 422 `validation_error`, which says so. Emails that were sent before a list was kept are not in it.',
    fr: 'Du plus récent au plus ancien, avec quelques secondes de retard. Un réglage du déploiement (`emailList`) dit quelles listes existent : aucune, celle de tous les e-mails et des programmés, annulés, rebonds et plaintes, ou en plus celles par `recipient` et `tag`, qui tiennent ce qui est parti. Une liste qui n’est pas tenue reçoit un 422 `validation_error` qui le dit. Les e-mails envoyés avant qu’une liste soit tenue n’y figurent pas.',
  }),
  access: 'emails:send',
  request: { query: listEmailsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: emailList,
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/emails/list.ts' },
} as const satisfies Route;

export const emailRecordRoutes: readonly Route[] = [listEmailsRoute, getEmailRoute];
