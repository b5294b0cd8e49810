import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { campaignDetail } from '../schemas/campaignDetail.ts';
import {
  campaignList,
  campaignPath,
  campaignReport,
  createdCampaign,
  listCampaignsQuery,
} from '../schemas/campaignRecord.ts';
import { createCampaignRequest } from '../schemas/campaignRequest.ts';
import { queuedCampaign, sendCampaignRequest, sendPreview } from '../schemas/campaignSend.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import {
  campaignExample,
  counts,
  detailExample,
  id,
  rates,
  summary,
  target,
  wholeList,
} from './internal/campaignExamples.ts';

export const listCampaignsRoute = {
  id: 'campaigns.list',
  method: 'GET',
  path: '/api/v1/campaigns',
  group: 'campaigns',
  summary: text({ en: 'List campaigns', fr: 'Lister les campagnes' }),
  description: text({
    en: 'Newest first, all or those of one status, with their statistics.',
    fr: 'De la plus récente à la plus ancienne, toutes ou celles d’un statut, avec leurs statistiques.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { query: listCampaignsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: campaignList,
      example: { object: 'list', data: [campaignExample], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/campaigns/list.ts' },
} as const satisfies Route;

export const createCampaignRoute = {
  id: 'campaigns.create',
  method: 'POST',
  path: '/api/v1/campaigns',
  group: 'campaigns',
  summary: text({ en: 'Create a draft', fr: 'Créer un brouillon' }),
  description: text({
    en: 'Creates a draft; nothing is sent. The body is `text`, `content`, `html` or that of a `template`. What could never be sent is refused, such as an unverified domain, an invalid merge field, a script, or an unknown field. The answer shows the `target`.',
    fr: 'Crée un brouillon ; rien n’est envoyé. Le corps est `text`, `content`, `html` ou celui d’un `template`. Ce qui ne pourrait jamais partir est refusé, comme un domaine non vérifié, un champ de fusion erroné, un script, un champ inconnu. La réponse montre la cible (`target`).',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('autumn-news'),
    body: createCampaignRequest,
    example: {
      name: 'Autumn news',
      subject: '{{firstName|Hello}}, autumn is here',
      preheader: 'What we made for you',
      text: '# Autumn is here\n\nHello {{firstName|there}}, [see what is new](https://example.com/new).',
    },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The draft.', fr: 'Le brouillon.' }),
      schema: createdCampaign,
      headers: replayHeader,
      example: { id, object: 'campaign', name: 'Autumn news', status: 'draft', target: wholeList },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'unverified_from_domain', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/campaigns/create.ts' },
} as const satisfies Route;

export const getCampaignRoute = {
  id: 'campaigns.get',
  method: 'GET',
  path: '/api/v1/campaigns/{id}',
  group: 'campaigns',
  summary: text({ en: 'Read a campaign and its progress', fr: 'Lire une campagne et sa progression' }),
  description: text({
    en: 'Includes its statistics and what was written. During the send, `progress` reports how far it is: `queued` is always the sum of `sent`, `skipped`, `failed`, `uncertain` and `waiting`.',
    fr: 'Avec ses statistiques et ce qui a été écrit. Pendant l’envoi, `progress` indique son avancement : `queued` est toujours la somme de `sent`, `skipped`, `failed`, `uncertain` et `waiting`.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: campaignPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The campaign.', fr: 'La campagne.' }),
      schema: campaignDetail,
      example: detailExample,
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/campaigns/get.ts' },
} as const satisfies Route;

export const campaignStatsRoute = {
  id: 'campaigns.stats',
  method: 'GET',
  path: '/api/v1/campaigns/{id}/stats',
  group: 'campaigns',
  summary: text({ en: 'Read the report of a campaign', fr: 'Lire le rapport d’une campagne' }),
  description: text({
    en: 'Every number counts people, each once: a second open by the same person does not count. Clicks of security scanners are left out, and opens through privacy relays are reported separately.',
    fr: 'Chaque nombre compte des personnes, une fois chacune : la deuxième ouverture d’une même personne ne compte pas. Les clics des robots de sécurité sont exclus, et les ouvertures par un relais de confidentialité sont indiquées à part.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: campaignPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The report.', fr: 'Le rapport.' }),
      schema: campaignReport,
      example: {
        campaign: summary,
        counts,
        rates,
        timeline: [290, 12, 5, 2, 1, 0, 0, 0].map((opened, window) => ({
          label: `${window * 6}-${window * 6 + 6}h`,
          opened,
          clicked: window === 0 ? 95 : 0,
        })),
        audience: {
          total: 250,
          proxiedShare: 0.1935,
          device: [{ label: 'Mobile', count: 150, share: 0.6 }],
          os: [{ label: 'iOS', count: 110, share: 0.44 }],
          client: [{ label: 'Apple Mail', count: 90, share: 0.36 }],
        },
        links: [{ url: 'https://example.com/new', clicks: 95 }],
        html: '<!doctype html>…',
        ab_test: null,
      },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/campaigns/stats.ts' },
} as const satisfies Route;

export const sendCampaignRoute = {
  id: 'campaigns.send',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/send',
  group: 'campaigns',
  summary: text({
    en: 'Send a campaign, or check whether it would be sent',
    fr: 'Envoyer une campagne, ou vérifier si elle partirait',
  }),
  description: text({
    en: 'Irreversible, except with `dry_run`. Freezes the recipients and queues their messages: the whole `target` of the campaign, or the addresses of `to` that are active subscribers in it. The messages are then sent at the rate that the provider allows; read the campaign to follow its progress. Unknown fields are ignored and named in the header `Mailroom-Ignored`, except names that could mean `to`, `dry_run` or a time: these are refused.',
    fr: 'Irréversible, sauf avec `dry_run`. Fige les destinataires et met leurs messages en file : toute la cible (`target`) de la campagne, ou les adresses de `to` qui y sont des abonnés actifs. Les messages partent ensuite à la cadence que permet le prestataire ; lisez la campagne pour suivre son avancement. Les champs inconnus sont ignorés et nommés dans l’en-tête `Mailroom-Ignored`, sauf les noms qui pourraient désigner `to`, `dry_run` ou une heure : ceux-là sont refusés.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, body: sendCampaignRequest, bodyOptional: true, example: { dry_run: true } },
  responses: [
    {
      status: 202,
      description: text({
        en: 'The recipients are frozen and queued.',
        fr: 'Les destinataires sont figés et mis en file.',
      }),
      schema: queuedCampaign,
      example: {
        id,
        object: 'campaign',
        status: 'sending',
        queued: 1200,
        target,
        note: 'Messages go out at the rate that the provider allows; read the campaign to follow them.',
      },
    },
    {
      status: 200,
      description: text({ en: 'The preview of a dry run.', fr: 'L’aperçu d’un essai à blanc.' }),
      schema: sendPreview,
      example: {
        id,
        object: 'send_preview',
        dry_run: true,
        would_send: true,
        blocked_reason: null,
        recipients: 1200,
        target,
        audience: null,
        from: 'Acme <news@example.com>',
        subject: summary.subject,
        warnings: [
          {
            code: 'preheader',
            message: 'There is no preview text: mail clients show the first words of the message instead.',
          },
        ],
      },
    },
  ],
  outcomes: { queued: { status: 202 }, preview: { status: 200 } },
  errors: ['not_found', 'conflict', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite', queues: ['campaign', 'webhook-delivery-bulk'] },
  // Lambda gives a whole processor from 1,769 MB: up to a million people are read and written within the call.
  function: { entry: 'functions/api/campaigns/send.ts', memoryMegabytes: 1769, timeoutSeconds: 29 },
} as const satisfies Route;

export const campaignRoutes: readonly Route[] = [
  listCampaignsRoute,
  createCampaignRoute,
  getCampaignRoute,
  campaignStatsRoute,
  sendCampaignRoute,
];
