import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import { addSuppressionRequest, listSuppressionQuery, suppression, suppressionList } from '../schemas/suppression.ts';

const group: Group = {
  name: { en: 'Suppression', fr: 'Exclusion' },
  description: {
    en: 'Addresses that are never written to, by single emails or campaigns: people who left or complained, and dead addresses. No call takes one off the list.',
    fr: 'Les adresses à qui rien n’est jamais envoyé, ni e-mail à l’unité ni campagne : personnes parties ou plaignantes, adresses mortes. Aucun appel n’en retire de la liste.',
  },
};

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
  group,
  summary: text({ en: 'List suppressed addresses', fr: 'Lister les adresses exclues' }),
  description: text({
    en: 'The workspace’s list, newest first, page by page. With `email`, that address only, on the workspace’s list and on the platform’s.',
    fr: 'La liste de l’espace, du plus récent au plus ancien, page par page. Avec `email`, cette seule adresse, sur la liste de l’espace et sur celle de la plateforme.',
  }),
  access: 'subscribers:read',
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
  group,
  summary: text({ en: 'Block an address', fr: 'Exclure une adresse' }),
  description: text({
    en: 'Puts an address on the workspace’s suppression list; a subscriber with it becomes `unsubscribed`. Nothing in the API takes it off again. The answer is the entry as it stands: the first date and the highest reason stay.',
    fr: 'Place une adresse sur la liste d’exclusion de l’espace ; l’abonné correspondant devient `unsubscribed`. Rien dans l’API ne l’en retire. La réponse est l’entrée telle qu’elle est : la première date et le plus fort motif restent.',
  }),
  access: 'subscribers:write',
  request: { body: addSuppressionRequest, example: { email: 'ada@example.net', reason: 'manual' } },
  responses: [{ status: 201, description: text({ en: 'The entry.', fr: 'L’entrée.' }), schema: suppression, example }],
  errors: ['validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/suppression/add.ts' },
} as const satisfies Route;

export const suppressionRoutes: readonly Route[] = [listSuppressionRoute, addSuppressionRoute];
