import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import {
  listSubscribersQuery,
  subscriber,
  subscriberList,
  subscriberPath,
  unsubscribedSubscriber,
  upsertSubscriberRequest,
} from '../schemas/subscribers.ts';

const group: Group = {
  name: { en: 'Subscribers', fr: 'Abonnés' },
  description: {
    en: 'People who asked to be written to. Without `double_opt_in: false` a person is `pending` until they confirm, and is written to by no campaign.',
    fr: 'Les personnes qui ont demandé qu’on leur écrive. Sans `double_opt_in: false`, une personne est `pending` jusqu’à ce qu’elle confirme, et aucune campagne ne lui écrit.',
  },
};

const example = {
  object: 'subscriber',
  email: 'ada@example.net',
  status: 'pending',
  firstName: 'Ada',
  lastName: 'Lovelace',
  tags: ['newsletter'],
  fields: { city: 'London' },
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.000Z',
  confirmed_at: null,
  unsubscribed_at: null,
};

export const listSubscribersRoute = {
  id: 'subscribers.list',
  method: 'GET',
  path: '/api/v1/subscribers',
  group,
  summary: text({ en: 'List subscribers', fr: 'Lister les abonnés' }),
  description: text({
    en: 'Newest first, page by page. With `q`, in alphabetical order of what was found; each person once.',
    fr: 'Du plus récent au plus ancien, page par page. Avec `q`, par ordre alphabétique de ce qui a été trouvé ; chaque personne une fois.',
  }),
  access: 'subscribers:read',
  request: { query: listSubscribersQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: subscriberList,
      example: { object: 'list', data: [example], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/subscribers/list.ts' },
} as const satisfies Route;

export const upsertSubscriberRoute = {
  id: 'subscribers.upsert',
  method: 'POST',
  path: '/api/v1/subscribers',
  group,
  summary: text({ en: 'Add or update a subscriber', fr: 'Ajouter ou modifier un abonné' }),
  description: text({
    en: 'Adds a subscriber as `pending` and sends a confirmation message, unless `double_opt_in` is `false`. An address that is there is updated: fields left out are kept, its status does not change, save that `pending` with `double_opt_in: false` becomes `subscribed`. Somebody who left, bounced or complained is refused (409), a suppressed address too (422): only the person can come back, through the sign-up form.',
    fr: 'Ajoute un abonné en `pending` et envoie un message de confirmation, sauf si `double_opt_in` vaut `false`. Une adresse déjà présente est modifiée : les champs absents sont gardés, son statut ne change pas, sauf que `pending` avec `double_opt_in: false` devient `subscribed`. Une personne partie, en rebond ou plaignante est refusée (409), une adresse exclue aussi (422) : seule la personne peut revenir, par le formulaire d’inscription.',
  }),
  access: 'subscribers:write',
  request: {
    body: upsertSubscriberRequest,
    example: {
      email: 'ada@example.net',
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['newsletter'],
      fields: { city: 'London' },
    },
  },
  responses: [
    { status: 201, description: text({ en: 'Added.', fr: 'Ajouté.' }), schema: subscriber, example },
    { status: 200, description: text({ en: 'Updated.', fr: 'Modifié.' }), schema: subscriber, example },
  ],
  outcomes: { created: { status: 201 }, updated: { status: 200 } },
  errors: ['conflict', 'suppressed_recipient', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite', queues: ['confirmation', 'webhook-delivery'] },
  function: { entry: 'functions/api/subscribers/upsert.ts' },
} as const satisfies Route;

export const getSubscriberRoute = {
  id: 'subscribers.get',
  method: 'GET',
  path: '/api/v1/subscribers/{email}',
  group,
  summary: text({ en: 'Read a subscriber', fr: 'Lire un abonné' }),
  description: text({
    en: 'The subscriber with this address, compared in lower case.',
    fr: 'L’abonné de cette adresse, comparée en minuscules.',
  }),
  access: 'subscribers:read',
  request: { path: subscriberPath },
  responses: [
    { status: 200, description: text({ en: 'The subscriber.', fr: 'L’abonné.' }), schema: subscriber, example },
  ],
  errors: ['not_found'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/subscribers/get.ts' },
} as const satisfies Route;

export const deleteSubscriberRoute = {
  id: 'subscribers.delete',
  method: 'DELETE',
  path: '/api/v1/subscribers/{email}',
  group,
  summary: text({ en: 'Unsubscribe', fr: 'Désabonner' }),
  description: text({
    en: 'Unsubscribes and puts the address on the suppression list. Irreversible through the API; the record is kept. Doing it again answers the same.',
    fr: 'Désabonne et place l’adresse sur la liste d’exclusion. Irréversible par l’API ; la fiche est gardée. Recommencer donne la même réponse.',
  }),
  access: 'subscribers:write',
  request: { path: subscriberPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'Unsubscribed.', fr: 'Désabonné.' }),
      schema: unsubscribedSubscriber,
      example: {
        object: 'subscriber',
        email: 'ada@example.net',
        status: 'unsubscribed',
        suppressed: true,
        deleted: false,
      },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'readWrite', queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/subscribers/delete.ts' },
} as const satisfies Route;

export const subscriberRoutes: readonly Route[] = [
  listSubscribersRoute,
  upsertSubscriberRoute,
  getSubscriberRoute,
  deleteSubscriberRoute,
];
