import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
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

const webhook = {
  id: 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy',
  object: 'webhook',
  name: 'Orders',
  url: 'https://example.com/webhooks/mailroom',
  events: ['email.delivered', 'email.bounced'],
  enabled: true,
  disabled_reason: null,
  failing_since: null,
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

/** The functions that call customers' URLs may only access webhooks. */
const postingNeeds = {
  table: 'readWrite',
  tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
  secret: true,
} as const;

export const listWebhooksRoute = {
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  group: 'webhooks',
  summary: text({ en: 'List webhook subscriptions', fr: 'Lister les abonnements webhook' }),
  description: text({
    en: 'The subscriptions of the workspace (20 at most), newest first, without secrets.',
    fr: 'Les abonnements de l’espace (20 au plus), du plus récent au plus ancien, sans les secrets.',
  }),
  access: 'webhooks:read',
  throttle: 'administration',
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
  group: 'webhooks',
  summary: text({ en: 'Create a webhook subscription', fr: 'Créer un abonnement webhook' }),
  description: text({
    en: 'Events of the chosen types are posted to `url` as JSON. `Service-Signature: t=<unix time>,v1=<hex>` is the HMAC-SHA256 of `<t>.<raw body>` with `secret`: compare it in constant time, and refuse a `t` older than 300 seconds. The headers of Standard Webhooks (`webhook-signature`) are there too, for its libraries. If your server does not answer 2xx within 15 seconds, the service tries again after 30 seconds, 2 minutes, 10 minutes and 1 hour. The same event may arrive twice, with the same `id`. At most 20 subscriptions per workspace.',
    fr: 'Les événements des types choisis sont envoyés à `url` en JSON par POST. `Service-Signature: t=<heure unix>,v1=<hexadécimal>` est le HMAC-SHA256 de `<t>.<corps brut>` avec `secret` : comparez-le en temps constant et refusez un `t` de plus de 300 secondes. Les en-têtes de Standard Webhooks (`webhook-signature`) y sont aussi, pour ses bibliothèques. Si votre serveur ne répond pas 2xx en 15 secondes, le service réessaie après 30 secondes, 2 minutes, 10 minutes et 1 heure. Le même événement peut arriver deux fois, avec le même `id`. 20 abonnements au plus par espace.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
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
  group: 'webhooks',
  summary: text({ en: 'Read a webhook subscription', fr: 'Lire un abonnement webhook' }),
  description: text({
    en: 'The subscription with its secret.',
    fr: 'L’abonnement avec son secret.',
  }),
  access: 'webhooks:read',
  throttle: 'administration',
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
  group: 'webhooks',
  summary: text({ en: 'Change a webhook subscription', fr: 'Modifier un abonnement webhook' }),
  description: text({
    en: 'Changes the given fields. `rotate_secret: true` creates a new secret, which you read with `GET`; the previous one also signs for 24 hours.',
    fr: 'Modifie les champs donnés. `rotate_secret: true` crée un nouveau secret, à lire avec `GET` ; le précédent signe aussi pendant 24 heures.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
  request: { path: webhookPath, body: updateWebhookRequest, example: { enabled: false } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed subscription.', fr: 'L’abonnement modifié.' }),
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
  group: 'webhooks',
  summary: text({ en: 'Delete a webhook subscription', fr: 'Supprimer un abonnement webhook' }),
  description: text({
    en: 'Deliveries stop, and the delivery log is deleted too.',
    fr: 'Les livraisons s’arrêtent, et le journal de livraison est supprimé aussi.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
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

export const rotateWebhookRoute = {
  id: 'webhooks.rotate',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate',
  group: 'webhooks',
  summary: text({ en: 'Rotate the secret', fr: 'Renouveler le secret' }),
  description: text({
    en: 'Creates a new secret and returns it. For 24 hours the previous one signs too, so that a receiver accepts every delivery before and after you change it. At most 10 secrets are valid at a time.',
    fr: 'Crée un nouveau secret et le renvoie. Pendant 24 heures, le précédent signe aussi : un récepteur accepte chaque livraison avant et après le changement. 10 secrets au plus sont valides à la fois.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
  request: { path: webhookPath, headers: idempotencyHeaders('rotate-orders-2026-12') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The subscription, with its new secret.', fr: 'L’abonnement, avec son nouveau secret.' }),
      schema: webhookWithSecret,
      headers: replayHeader,
      example: withSecret,
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', secret: true },
  function: { entry: 'functions/api/webhooks/rotate.ts' },
} as const satisfies Route;

export const testWebhookRoute = {
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  group: 'webhooks',
  summary: text({ en: 'Send a test event', fr: 'Envoyer un événement de test' }),
  description: text({
    en: 'Makes one attempt and waits for its result. Signature and headers are those of a real event; `data` is `{"test": true}`. It also works while the subscription is disabled, and is not repeated.',
    fr: 'Fait une tentative et attend son résultat. La signature et les en-têtes sont ceux d’un vrai événement ; `data` vaut `{"test": true}`. Fonctionne aussi quand l’abonnement est désactivé, et n’est pas répété.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
  request: { path: webhookPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The result of the attempt.', fr: 'Le résultat de la tentative.' }),
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
  group: 'webhooks',
  summary: text({ en: 'Read the delivery log', fr: 'Lire le journal de livraison' }),
  description: text({
    en: 'The deliveries of the last 30 days, newest first.',
    fr: 'Les livraisons des 30 derniers jours, de la plus récente à la plus ancienne.',
  }),
  access: 'webhooks:read',
  throttle: 'administration',
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
  group: 'webhooks',
  summary: text({ en: 'Read a delivery', fr: 'Lire une livraison' }),
  description: text({
    en: 'One entry of the delivery log, with the posted body and headers, and every attempt.',
    fr: 'Une entrée du journal, avec le corps et les en-têtes envoyés, et chaque tentative.',
  }),
  access: 'webhooks:read',
  throttle: 'administration',
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
          'webhook-id': loggedDelivery.event_id,
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
  group: 'webhooks',
  summary: text({ en: 'Replay a delivery', fr: 'Rejouer une livraison' }),
  description: text({
    en: 'Makes a new attempt and waits for its result. Body and event `id` are the original ones; the signature is new. A failure does not affect the remaining retries.',
    fr: 'Fait une nouvelle tentative et attend son résultat. Le corps et l’`id` de l’événement sont ceux d’origine ; la signature est nouvelle. Un échec ne change rien aux reprises restantes.',
  }),
  access: 'webhooks:write',
  throttle: 'administration',
  request: { path: deliveryPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The result of the attempt.', fr: 'Le résultat de la tentative.' }),
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
  rotateWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  replayDeliveryRoute,
];
