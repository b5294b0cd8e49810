import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { addSuppressionRequest, listSuppressionQuery, suppression, suppressionList } from '../schemas/suppression.ts';

const example = {
  object: 'suppression',
  email: 'ada@example.net',
  reason: 'manual',
  scope: 'organization',
  created_at: '2026-11-21T10:30:00.000Z',
};

export const listSuppressionRoute = {
  id: 'suppression.list',
  method: 'GET',
  path: '/api/v1/suppression',
  group: 'suppression',
  summary: text({ en: 'List suppressed addresses', fr: 'Lister les adresses exclues' }),
  description: text({
    en: 'The list of the workspace, newest first, in pages. With `email`: only this address, on the list of the workspace and on that of the platform.',
    fr: 'La liste de l’espace, du plus récent au plus ancien, par pages. Avec `email` : cette adresse seulement, sur la liste de l’espace et sur celle de la plateforme.',
  }),
  access: 'subscribers:read',
  throttle: 'lookups',
  request: { query: listSuppressionQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: suppressionList,
      example: { object: 'list', data: [example], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/suppression/list.ts' },
} as const satisfies Route;

export const addSuppressionRoute = {
  id: 'suppression.add',
  method: 'POST',
  path: '/api/v1/suppression',
  group: 'suppression',
  summary: text({ en: 'Block an address', fr: 'Exclure une adresse' }),
  description: text({
    en: 'Adds an address to the suppression list of the workspace; a subscriber with this address becomes `unsubscribed`. The API cannot remove it again. The answer is the current entry, which keeps the earliest date and the most serious reason.',
    fr: 'Ajoute une adresse à la liste d’exclusion de l’espace ; l’abonné qui a cette adresse devient `unsubscribed`. L’API ne peut pas l’en retirer. La réponse est l’entrée actuelle, qui garde la date la plus ancienne et le motif le plus grave.',
  }),
  access: 'subscribers:write',
  throttle: 'lookups',
  request: { body: addSuppressionRequest, example: { email: 'ada@example.net', reason: 'manual' } },
  responses: [{ status: 201, description: text({ en: 'The entry.', fr: 'L’entrée.' }), schema: suppression, example }],
  errors: ['validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery', 'automation'] },
  function: { entry: 'functions/api/suppression/add.ts' },
} as const satisfies Route;

export const suppressionRoutes: readonly Route[] = [listSuppressionRoute, addSuppressionRoute];
