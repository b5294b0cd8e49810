import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import {
  listEventsQuery,
  personEvent,
  personEventBatch,
  personEventBatchRequest,
  personEventList,
  personEventRequest,
  sendEventRequest,
  sentEvent,
} from '../schemas/personEvent.ts';

const given = { name: 'order_placed', email: 'ada@example.net', data: { amount: 42, currency: 'EUR' } };
const recorded = {
  object: 'event',
  id: 'event_01k9zq3v5c8r2m4n6p7s9t0wxy',
  name: 'order_placed',
  email: 'ada@example.net',
  recorded: true,
  reason: null,
  replayed: false,
  timestamp: '2026-11-21T10:30:00.000Z',
  created_at: '2026-11-21T10:30:00.000Z',
};
const unknown = {
  ...recorded,
  ...{ id: null, email: 'nobody@example.net', recorded: false, reason: 'unknown_subscriber', created_at: null },
};

const errors = ['conflict', 'idempotency_key_reused', 'validation_error'] as const;

const accepted = text({
  en: 'The event, or why it was not recorded.',
  fr: 'L’événement, ou pourquoi il n’a pas été enregistré.',
});

export const recordEventRoute = {
  id: 'events.record',
  method: 'POST',
  path: '/api/v1/events',
  group: 'person-events',
  summary: text({ en: 'Record an event', fr: 'Enregistrer un événement' }),
  description: text({
    en: 'Records what a subscriber did. An unknown address is no error: `recorded` is false, nothing is stored and nobody is created. The same `external_id` for the same person is recorded once, whatever the rest says. Kept for `eventRetentionDays` (90 unless this deployment sets another number).',
    fr: 'Enregistre ce qu’un abonné a fait. Une adresse inconnue n’est pas une erreur : `recorded` vaut false, rien n’est enregistré et personne n’est créé. Le même `external_id` pour la même personne n’est enregistré qu’une fois, quel que soit le reste. Conservé `eventRetentionDays` jours (90, sauf si ce déploiement fixe un autre nombre).',
  }),
  access: 'events:write',
  throttle: 'routes',
  request: {
    headers: idempotencyHeaders('order-42-event'),
    body: personEventRequest,
    example: { ...given, external_id: 'order-42' },
  },
  responses: [{ status: 202, description: accepted, schema: personEvent, headers: replayHeader, example: recorded }],
  keepsAnswer: true,
  errors,
  needs: { table: 'readWrite', queues: ['automation'] },
  function: { entry: 'functions/api/events/record.ts' },
} as const satisfies Route;

export const recordEventsRoute = {
  id: 'events.recordBatch',
  method: 'POST',
  path: '/api/v1/events/batch',
  group: 'person-events',
  summary: text({ en: 'Record up to 100 events', fr: 'Enregistrer jusqu’à 100 événements' }),
  description: text({
    en: 'One malformed event refuses all of them before anything is stored; the paths in `details.issues` start with its index. After that each is recorded by itself: if the call fails in between, the same call with the same `Idempotency-Key`, or with an `external_id` for each event, records none of them twice.',
    fr: 'Un seul événement mal formé les fait tous refuser avant tout enregistrement ; les chemins de `details.issues` commencent par son indice. Ensuite, chacun est enregistré séparément : si l’appel échoue entre deux, le même appel avec la même `Idempotency-Key`, ou avec un `external_id` par événement, n’en enregistre aucun deux fois.',
  }),
  access: 'events:write',
  throttle: 'routes',
  request: {
    headers: idempotencyHeaders('events-2026-11-21'),
    body: personEventBatchRequest,
    list: { maxEntries: 100 },
    example: [given, { ...given, email: 'nobody@example.net' }],
  },
  responses: [
    {
      status: 202,
      description: text({ en: 'One answer for each event.', fr: 'Une réponse par événement.' }),
      schema: personEventBatch,
      headers: replayHeader,
      example: { object: 'batch', data: [recorded, unknown] },
    },
  ],
  keepsAnswer: true,
  errors,
  needs: { table: 'readWrite', queues: ['automation'] },
  function: { entry: 'functions/api/events/batch.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const sendEventRoute = {
  id: 'events.send',
  method: 'POST',
  path: '/api/v1/events/send',
  group: 'person-events',
  summary: text({ en: 'Record an event, in Resend’s words', fr: 'Enregistrer un événement, avec les mots de Resend' }),
  description: text({
    en: 'As `POST /events`, with the names of fields that the `resend` client uses: `event`, `email` or `contact_id`, `payload`. It creates no contact.',
    fr: 'Comme `POST /events`, avec les noms de champs du client `resend` : `event`, `email` ou `contact_id`, `payload`. Il ne crée aucun contact.',
  }),
  access: 'events:write',
  throttle: 'routes',
  request: {
    headers: idempotencyHeaders('order-42-sent'),
    body: sendEventRequest,
    example: { event: given.name, email: given.email, payload: given.data },
  },
  responses: [
    {
      status: 202,
      description: accepted,
      schema: sentEvent,
      headers: replayHeader,
      example: { ...recorded, event: recorded.name },
    },
  ],
  keepsAnswer: true,
  errors,
  needs: { table: 'readWrite', queues: ['automation'] },
  function: { entry: 'functions/api/events/send.ts' },
} as const satisfies Route;

export const listEventsRoute = {
  id: 'events.list',
  method: 'GET',
  path: '/api/v1/events',
  group: 'person-events',
  summary: text({ en: 'List events of a subscriber', fr: 'Lister les événements d’un abonné' }),
  description: text({
    en: 'Last recorded first, as long as they are kept. With `name`, a page may have fewer entries than `limit` although more follow.',
    fr: 'Du dernier enregistré au premier, tant qu’ils sont conservés. Avec `name`, une page peut compter moins d’entrées que `limit` alors que d’autres suivent.',
  }),
  access: 'subscribers:read',
  throttle: 'lookups',
  request: { query: listEventsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: personEventList,
      example: { object: 'list', data: [{ ...recorded, data: given.data }], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/events/list.ts' },
} as const satisfies Route;

export const eventRoutes: readonly Route[] = [recordEventRoute, listEventsRoute, recordEventsRoute, sendEventRoute];
