import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { campaignDetail, deletedCampaign } from '../schemas/campaignDetail.ts';
import { campaignPath } from '../schemas/campaignRecord.ts';
import { updateCampaignRequest } from '../schemas/campaignUpdate.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { draftExample, id } from './internal/campaignExamples.ts';

export const updateCampaignRoute = {
  id: 'campaigns.update',
  method: 'PATCH',
  path: '/api/v1/campaigns/{id}',
  group: 'campaign-drafts',
  summary: text({ en: 'Change a draft', fr: 'Modifier un brouillon' }),
  description: text({
    en: 'Changes the given fields, which have the same rules as for a new draft. `null` clears the preheader, the topic, the addresses for answers, the tracking or the A/B test; with `from` it means the default sender, with `segment_id` the whole list. A body replaces the whole body: `html` without `plain_text` has its text part made from the HTML. Where the variants of an A/B test differ, give `ab_test`. Refused for any campaign but a draft, and with a `revision` that is no longer that of the draft.',
    fr: 'Modifie les champs donnés, selon les mêmes règles que pour un nouveau brouillon. `null` efface le texte d’aperçu, le type d’e-mail, les adresses de réponse, le suivi ou le test A/B ; pour `from`, il désigne l’expéditeur par défaut, pour `segment_id` toute la liste. Un corps remplace le corps entier : la partie texte d’un `html` sans `plain_text` est tirée du HTML. Là où les variantes d’un test A/B diffèrent, donnez `ab_test`. Refusé pour toute campagne qui n’est pas un brouillon, et avec une `revision` qui n’est plus celle du brouillon.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, body: updateCampaignRequest, example: { name: 'News of autumn', preheader: null } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed draft.', fr: 'Le brouillon modifié.' }),
      schema: campaignDetail,
      example: { ...draftExample, name: 'News of autumn', preheader: null, revision: 1 },
    },
  ],
  errors: ['not_found', 'conflict', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/campaigns/update.ts' },
} as const satisfies Route;

export const deleteCampaignRoute = {
  id: 'campaigns.delete',
  method: 'DELETE',
  path: '/api/v1/campaigns/{id}',
  group: 'campaign-drafts',
  summary: text({ en: 'Delete a draft', fr: 'Supprimer un brouillon' }),
  description: text({
    en: 'Irreversible. Refused for any campaign but a draft: unschedule it first, or archive it after it is sent.',
    fr: 'Irréversible. Refusé pour toute campagne qui n’est pas un brouillon : déprogrammez-la d’abord, ou archivez-la après l’envoi.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The draft is deleted.', fr: 'Le brouillon est supprimé.' }),
      schema: deletedCampaign,
      example: { object: 'campaign', id, deleted: true },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/campaigns/delete.ts' },
} as const satisfies Route;

export const archiveCampaignRoute = {
  id: 'campaigns.archive',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/archive',
  group: 'campaign-drafts',
  summary: text({ en: 'Archive a campaign', fr: 'Archiver une campagne' }),
  description: text({
    en: 'For a draft or a sent campaign. Its report stays readable, and it can be duplicated.',
    fr: 'Pour un brouillon ou une campagne envoyée. Son rapport reste lisible, et elle peut être dupliquée.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('archive-autumn-news') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The archived campaign.', fr: 'La campagne archivée.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: { ...draftExample, status: 'archived' },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/campaigns/archive.ts' },
} as const satisfies Route;

export const duplicateCampaignRoute = {
  id: 'campaigns.duplicate',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/duplicate',
  group: 'campaign-drafts',
  summary: text({ en: 'Duplicate a campaign', fr: 'Dupliquer une campagne' }),
  description: text({
    en: 'Creates a draft with the same name, content and target from a campaign in any state. An A/B test starts over.',
    fr: 'Crée un brouillon de mêmes nom, contenu et cible à partir d’une campagne dans n’importe quel état. Un test A/B recommence.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('duplicate-autumn-news') },
  responses: [
    {
      status: 201,
      description: text({ en: 'The new draft.', fr: 'Le nouveau brouillon.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: { ...draftExample, id: 'camp_01k9zs0a6d4b8e2f5g7h1j3k9m' },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'idempotency_key_reused', 'conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/campaigns/duplicate.ts' },
} as const satisfies Route;

export const campaignDraftRoutes: readonly Route[] = [
  updateCampaignRoute,
  deleteCampaignRoute,
  archiveCampaignRoute,
  duplicateCampaignRoute,
];
