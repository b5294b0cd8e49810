import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { linkList, listRecipientsQuery, recipientList } from '../schemas/campaignRecipient.ts';
import { campaignPath } from '../schemas/campaignRecord.ts';
import { noQuery } from '../schemas/segment.ts';

export const listRecipientsRoute = {
  id: 'campaigns.recipients',
  method: 'GET',
  path: '/api/v1/campaigns/{id}/recipients',
  group: 'campaign-sending',
  summary: text({ en: 'List the recipients of a campaign', fr: 'Lister les destinataires d’une campagne' }),
  description: text({
    en: 'What became of each person, in the order of the frozen list; empty before the send. With a filter, a page may have fewer entries than asked for, or none: go on while `has_more` is true. Only opens that were measured count as opened.',
    fr: 'Ce qu’il est advenu de chaque personne, dans l’ordre de la liste figée ; vide avant l’envoi. Avec un filtre, une page peut avoir moins d’entrées que demandé, ou aucune : continuez tant que `has_more` est vrai. Seules les ouvertures mesurées comptent comme telles.',
  }),
  access: 'campaigns:read',
  furtherScopes: ['subscribers:read'],
  throttle: 'administration',
  request: { path: campaignPath, query: listRecipientsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: recipientList,
      example: {
        object: 'list',
        data: [
          {
            object: 'campaign_recipient',
            email: 'ada@example.net',
            outcome: 'sent',
            reason: null,
            delivered: true,
            opened: true,
            clicked: false,
            bounced: false,
            complained: false,
            unsubscribed: false,
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/campaigns/recipients.ts' },
} as const satisfies Route;

export const listLinksRoute = {
  id: 'campaigns.links',
  method: 'GET',
  path: '/api/v1/campaigns/{id}/links',
  group: 'campaign-sending',
  summary: text({ en: 'List the links of a campaign', fr: 'Lister les liens d’une campagne' }),
  description: text({
    en: 'The links of the message and how many people clicked each, from most to least; empty before the send. Clicks of security scanners are left out. One page has them all.',
    fr: 'Les liens du message et le nombre de personnes ayant cliqué sur chacun, du plus au moins ; vide avant l’envoi. Les clics des robots de sécurité sont exclus. Une seule page les contient tous.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: campaignPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The links.', fr: 'Les liens.' }),
      schema: linkList,
      example: {
        object: 'list',
        data: [{ url: 'https://example.com/new', clicks: 95 }],
        has_more: false,
        next_cursor: null,
      },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/campaigns/links.ts' },
} as const satisfies Route;

export const campaignOutcomeRoutes: readonly Route[] = [listRecipientsRoute, listLinksRoute];
