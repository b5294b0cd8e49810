import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  campaignPreview,
  campaignTest,
  previewCampaignRequest,
  testCampaignRequest,
} from '../schemas/campaignPreview.ts';
import { campaignPath } from '../schemas/campaignRecord.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { id } from './internal/campaignExamples.ts';

export const previewCampaignRoute = {
  id: 'campaigns.preview',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/preview',
  group: 'campaign-drafts',
  summary: text({ en: 'Preview the message', fr: 'Prévisualiser le message' }),
  description: text({
    en: 'Read-only: the message as a recipient would see it, with what deserves a look. Nothing is sent. With `email`, the key also needs the scope `subscribers:read`.',
    fr: 'Lecture seule : le message tel qu’un destinataire le verrait, avec ce qui mérite un regard. Rien n’est envoyé. Avec `email`, la clé a aussi besoin de la portée `subscribers:read`.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: campaignPath, body: previewCampaignRequest, bodyOptional: true, example: { variant: 1 } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The message.', fr: 'Le message.' }),
      schema: campaignPreview,
      example: {
        object: 'campaign_preview',
        from: 'Acme <news@example.com>',
        reply_to: null,
        subject: 'Hello, autumn is here',
        preheader: 'What we made for you',
        html: '<!doctype html>…',
        text: 'Autumn is here…',
        html_bytes: 8200,
        links: ['https://example.com/new'],
        warnings: [],
      },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/campaigns/preview.ts' },
} as const satisfies Route;

export const testCampaignRoute = {
  id: 'campaigns.test',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/test',
  group: 'campaign-drafts',
  summary: text({ en: 'Send a test of the message', fr: 'Envoyer un test du message' }),
  description: text({
    en: 'Sends the message to one to five addresses as single emails, with `[Test]` before the subject. They are checked and counted like `POST /emails`, and one refused address refuses all before anything is sent. They count in no report, and the campaign stays as it is.',
    fr: 'Envoie le message à une à cinq adresses, en e-mails à l’unité, avec `[Test]` devant l’objet. Ils sont contrôlés et comptés comme `POST /emails`, et une seule adresse refusée les fait toutes refuser avant tout envoi. Ils ne comptent dans aucun rapport, et la campagne reste telle quelle.',
  }),
  access: 'campaigns:write',
  furtherScopes: ['emails:send'],
  throttle: 'administration',
  request: {
    path: campaignPath,
    headers: idempotencyHeaders('test-autumn-news'),
    body: testCampaignRequest,
    example: { to: ['tester@example.net'] },
  },
  responses: [
    {
      status: 202,
      description: text({
        en: 'The provider accepted every email, or it is kept while the provider’s sending rate is used up.',
        fr: 'Le prestataire a accepté tous les e-mails, ou ils sont gardés tant que le débit du prestataire est épuisé.',
      }),
      schema: campaignTest,
      headers: replayHeader,
      example: {
        object: 'campaign_test',
        id,
        emails: [{ id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy', to: 'tester@example.net' }],
      },
    },
  ],
  outcomes: {
    accepted: { status: 202 },
    replayed: { status: 202, headers: { 'Idempotent-Replay': 'true' } },
  },
  errors: [
    ...(['not_found', 'quota_exceeded', 'reputation_blocked', 'conflict', 'idempotency_key_reused'] as const),
    ...(['unverified_from_domain', 'suppressed_recipient', 'validation_error', 'send_failed'] as const),
  ],
  // Those of a batch of emails.
  needs: {
    ...{ table: 'readWrite', email: ['raw', 'account'], files: ['readUpload', 'writeBody'], queues: ['confirmation'] },
    watchedQueues: ['feedback'],
  },
  function: { entry: 'functions/api/campaigns/test.ts', memoryMegabytes: 1024, timeoutSeconds: 29 },
} as const satisfies Route;

export const campaignMessageRoutes: readonly Route[] = [previewCampaignRoute, testCampaignRoute];
