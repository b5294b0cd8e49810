import { inEachLanguage } from '../../language/languages.ts';
import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import {
  createWebhookRequest,
  deletedWebhook,
  deliveryDetail,
  deliveryList,
  deliveryPath,
  listDeliveriesQuery,
  listWebhooksQuery,
  replayResult,
  testResult,
  updateWebhookRequest,
  webhookList,
  webhookPath,
  webhook as webhookSchema,
  webhookWithSecret,
} from '../schemas/webhook.ts';

export const webhookGroup: Group = {
  name: inEachLanguage(() => 'Webhooks'),
  description: {
    en: 'Subscriptions to events, and the log of what was delivered.',
    fr: 'Des abonnements aux événements, et le journal de ce qui a été livré.',
  },
};

const webhook = {
  id: 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy',
  object: 'webhook',
  name: 'Orders',
  url: 'https://example.com/webhooks/mailroom',
  events: ['email.delivered', 'email.bounced'],
  enabled: true,
  disabled_reason: null,
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.000Z',
};
const withSecret = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };
const deliveryId = 'whd_01k9zq5b7d9f1h3k5m7p9r1t3v';
const outcome = { status: 'delivered', attempts: 1, response_status: 200, error: null };
const loggedDelivery = {
  id: deliveryId,
  object: 'webhook_delivery',
  event_id: 'evt_01k9zq5b7c2e4g6j8m0p2r4t6v',
  event_type: 'email.delivered',
  ...outcome,
  response_body: 'ok',
  duration_ms: 84,
  next_attempt_at: null,
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.400Z',
};
const request = { name: webhook.name, url: webhook.url, events: webhook.events };

/** What the functions that call customers' URLs may touch besides their caller's key. */
const postingNeeds = {
  table: 'readWrite',
  tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
  secret: true,
} as const;

export const listWebhooksRoute = {
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  group: webhookGroup,
  summary: text({ en: 'List webhook subscriptions', fr: 'Lister les abonnements webhook' }),
  description: text({
    en: 'The subscriptions of the workspace (20 at most), newest first, without secrets.',
    fr: 'Les abonnements de l’espace (20 au plus), du plus récent au plus ancien, sans les secrets.',
  }),
  access: 'webhooks:read',
  request: { query: listWebhooksQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: webhookList,
      example: { object: 'list', data: [webhook], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/webhooks/list.ts' },
} as const satisfies Route;

export const createWebhookRoute = {
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/v1/webhooks',
  group: webhookGroup,
  summary: text({ en: 'Create a webhook subscription', fr: 'Créer un abonnement webhook' }),
  description: text({
    en: 'Events of the chosen types are posted to `url` as JSON, signed in `Service-Signature: t=<unix time>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under `secret`. Compare in constant time and refuse a `t` older than 300 seconds. An answer other than 2xx within 15 seconds is tried again after 30 seconds, 2 minutes, 10 minutes and 1 hour. The same event may come twice: its `id` stays the same. At most 20 subscriptions per workspace.',
    fr: 'Les événements des types choisis sont envoyés à `url` en JSON par POST, signés dans `Service-Signature: t=<heure unix>,v1=<hexadécimal>` : HMAC-SHA256 de `<t>.<corps brut>` avec `secret`. Comparez en temps constant et refusez un `t` de plus de 300 secondes. Toute réponse autre que 2xx en 15 secondes donne lieu à une reprise après 30 secondes, 2 minutes, 10 minutes et 1 heure. Le même événement peut arriver deux fois : son `id` reste le même. 20 abonnements au plus par espace.',
  }),
  access: 'webhooks:write',
  request: { body: createWebhookRequest, example: request },
  responses: [
    {
      status: 201,
      description: text({ en: 'The subscription, with its secret.', fr: 'L’abonnement, avec son secret.' }),
      schema: webhookWithSecret,
      example: withSecret,
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'readWrite', secret: true },
  function: { entry: 'functions/api/webhooks/create.ts' },
} as const satisfies Route;

export const getWebhookRoute = {
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  group: webhookGroup,
  summary: text({ en: 'Read a webhook subscription', fr: 'Lire un abonnement webhook' }),
  description: text({
    en: 'The subscription with its secret, which can be read at any time.',
    fr: 'L’abonnement avec son secret, lisible à tout moment.',
  }),
  access: 'webhooks:read',
  request: { path: webhookPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The subscription.', fr: 'L’abonnement.' }),
      schema: webhookWithSecret,
      example: withSecret,
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/webhooks/get.ts' },
} as const satisfies Route;

export const updateWebhookRoute = {
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/api/v1/webhooks/{id}',
  group: webhookGroup,
  summary: text({ en: 'Change a webhook subscription', fr: 'Modifier un abonnement webhook' }),
  description: text({
    en: 'Changes the fields that are given. `rotate_secret: true` makes a new secret, to be read with `GET`; the one before it goes on signing for 24 hours.',
    fr: 'Change les champs donnés. `rotate_secret: true` crée un nouveau secret, à lire avec `GET` ; le précédent continue de signer pendant 24 heures.',
  }),
  access: 'webhooks:write',
  request: { path: webhookPath, body: updateWebhookRequest, example: { enabled: false } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The subscription as it now stands.', fr: 'L’abonnement tel qu’il est désormais.' }),
      schema: webhookSchema,
      example: { ...webhook, enabled: false },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery'], secret: true },
  function: { entry: 'functions/api/webhooks/update.ts' },
} as const satisfies Route;

export const deleteWebhookRoute = {
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  group: webhookGroup,
  summary: text({ en: 'Delete a webhook subscription', fr: 'Supprimer un abonnement webhook' }),
  description: text({
    en: 'Nothing more is delivered; the delivery log goes with it.',
    fr: 'Plus rien n’est livré ; le journal de livraison disparaît avec.',
  }),
  access: 'webhooks:write',
  request: { path: webhookPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'Deleted.', fr: 'Supprimé.' }),
      schema: deletedWebhook,
      example: { object: 'webhook', id: webhook.id, deleted: true },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'readWrite', queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/webhooks/delete.ts' },
} as const satisfies Route;

export const testWebhookRoute = {
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  group: webhookGroup,
  summary: text({ en: 'Send a test event', fr: 'Envoyer un événement de test' }),
  description: text({
    en: 'One attempt, whose reply is awaited, with the signature and headers of a real event. Its `data` is `{"test": true}`. It is made even while the subscription is disabled, and is not tried again.',
    fr: 'Une tentative, dont la réponse est attendue, avec la signature et les en-têtes d’un vrai événement. Son `data` vaut `{"test": true}`. Elle a lieu même si l’abonnement est désactivé, sans reprise.',
  }),
  access: 'webhooks:write',
  request: { path: webhookPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'What came of it.', fr: 'Ce qu’il en est advenu.' }),
      schema: testResult,
      example: { object: 'webhook_test', delivery_id: deliveryId, ...outcome },
    },
  ],
  errors: ['not_found'],
  needs: postingNeeds,
  function: { entry: 'functions/api/webhooks/test.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const listDeliveriesRoute = {
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  group: webhookGroup,
  summary: text({ en: 'Read the delivery log', fr: 'Lire le journal de livraison' }),
  description: text({
    en: 'The deliveries of the last 30 days, newest first.',
    fr: 'Les livraisons des 30 derniers jours, de la plus récente à la plus ancienne.',
  }),
  access: 'webhooks:read',
  request: { path: webhookPath, query: listDeliveriesQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: deliveryList,
      example: {
        object: 'list',
        data: [loggedDelivery],
        has_more: false,
        next_cursor: null,
      },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/webhooks/deliveries.ts' },
} as const satisfies Route;

export const getDeliveryRoute = {
  id: 'webhooks.delivery',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}',
  group: webhookGroup,
  summary: text({ en: 'Read a delivery', fr: 'Lire une livraison' }),
  description: text({
    en: 'One entry of the delivery log with what is posted, body and headers, and each attempt.',
    fr: 'Une entrée du journal avec ce qui est envoyé, corps et en-têtes, et chaque tentative.',
  }),
  access: 'webhooks:read',
  request: { path: deliveryPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The delivery.', fr: 'La livraison.' }),
      schema: deliveryDetail,
      example: {
        ...loggedDelivery,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Mailroom-Webhooks/1.0',
          'Service-Event-Id': loggedDelivery.event_id,
          'Service-Event-Type': loggedDelivery.event_type,
        },
        body: `{"id":"${loggedDelivery.event_id}","type":"email.delivered","created_at":"2026-11-21T10:30:00.000Z","data":{}}`,
        attempt_log: [
          { at: loggedDelivery.updated_at, replay: false, response_status: 200, error: null, duration_ms: 84 },
        ],
      },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read', tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'] },
  function: { entry: 'functions/api/webhooks/delivery.ts' },
} as const satisfies Route;

export const replayDeliveryRoute = {
  id: 'webhooks.replay',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  group: webhookGroup,
  summary: text({ en: 'Replay a delivery', fr: 'Rejouer une livraison' }),
  description: text({
    en: 'A new attempt with the original body, byte for byte, the same event `id` and a new signature; its reply is awaited. Retries that are still to come are not touched by a failure.',
    fr: 'Une nouvelle tentative avec le corps d’origine, octet pour octet, le même `id` d’événement et une nouvelle signature ; sa réponse est attendue. Un échec ne touche pas aux reprises encore à venir.',
  }),
  access: 'webhooks:write',
  request: { path: deliveryPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'What came of it.', fr: 'Ce qu’il en est advenu.' }),
      schema: replayResult,
      example: { object: 'webhook_delivery', id: deliveryId, ...outcome, attempts: 2 },
    },
  ],
  errors: ['not_found'],
  needs: postingNeeds,
  function: { entry: 'functions/api/webhooks/replay.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const webhookRoutes: readonly Route[] = [
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  replayDeliveryRoute,
];
