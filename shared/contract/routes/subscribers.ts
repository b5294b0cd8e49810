import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { subscriber, subscriberPath, unsubscribedSubscriber, upsertSubscriberRequest } from '../schemas/subscriber.ts';
import { listSubscribersQuery, subscriberList } from '../schemas/subscriberList.ts';
import { updateSubscriberRequest } from '../schemas/subscriberUpdate.ts';

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
  group: 'subscribers',
  summary: text({ en: 'List subscribers', fr: 'Lister les abonnés' }),
  description: text({
    en: 'Newest first, in pages. With `q`, in alphabetical order of the matching words; each person once.',
    fr: 'Du plus récent au plus ancien, par pages. Avec `q`, par ordre alphabétique des mots trouvés ; chaque personne une fois.',
  }),
  access: 'subscribers:read',
  throttle: 'lookups',
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
  group: 'subscribers',
  summary: text({ en: 'Add or update a subscriber', fr: 'Ajouter ou modifier un abonné' }),
  description: text({
    en: 'Adds a subscriber as `pending` and sends a confirmation message, unless `double_opt_in` is `false`. If the address exists, the subscriber is updated: fields that are left out keep their value, and the status does not change, except that `pending` becomes `subscribed` with `double_opt_in: false`. People who unsubscribed, bounced or complained are refused (409), and so are suppressed addresses (422): only the person can come back, through the sign-up form. Confirmations have a budget of their own, a tenth of the plan’s month and at least 500 a day: beyond it the call is refused (422 `validation_error`, `details.reason` is `confirmation_budget`) and nothing is stored. Another spelling of a field, such as `first_name`, is that field. Other unknown fields are ignored and named in the header `Mailroom-Ignored`.',
    fr: 'Ajoute un abonné en `pending` et envoie un message de confirmation, sauf si `double_opt_in` vaut `false`. Si l’adresse existe, l’abonné est modifié : les champs absents gardent leur valeur et le statut ne change pas, sauf que `pending` devient `subscribed` avec `double_opt_in: false`. Les personnes désabonnées, en rebond ou plaignantes sont refusées (409), de même que les adresses exclues (422) : seule la personne peut revenir, par le formulaire d’inscription. Les confirmations ont leur propre budget, un dixième du mois du forfait et au moins 500 par jour : au-delà, l’appel est refusé (422 `validation_error`, `details.reason` vaut `confirmation_budget`) et rien n’est enregistré. Une autre graphie d’un champ, comme `first_name`, est ce champ. Les autres champs inconnus sont ignorés et nommés dans l’en-tête `Mailroom-Ignored`.',
  }),
  access: 'subscribers:write',
  throttle: 'routes',
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
  needs: { table: 'readWrite', queues: ['confirmation', 'webhook-delivery', 'automation'] },
  function: { entry: 'functions/api/subscribers/upsert.ts' },
} as const satisfies Route;

export const getSubscriberRoute = {
  id: 'subscribers.get',
  method: 'GET',
  path: '/api/v1/subscribers/{email}',
  group: 'subscribers',
  summary: text({ en: 'Read a subscriber', fr: 'Lire un abonné' }),
  description: text({
    en: 'The subscriber with this address, which is compared in lower case.',
    fr: 'L’abonné qui a cette adresse, comparée en minuscules.',
  }),
  access: 'subscribers:read',
  throttle: 'lookups',
  request: { path: subscriberPath },
  responses: [
    { status: 200, description: text({ en: 'The subscriber.', fr: 'L’abonné.' }), schema: subscriber, example },
  ],
  errors: ['not_found'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/subscribers/get.ts' },
} as const satisfies Route;

export const updateSubscriberRoute = {
  id: 'subscribers.update',
  method: 'PATCH',
  path: '/api/v1/subscribers/{email}',
  group: 'subscribers',
  summary: text({ en: 'Change a subscriber', fr: 'Modifier un abonné' }),
  description: text({
    en: 'Changes the given fields of a subscriber who exists; several calls at the same time lose no tag of each other. It adds nobody, sends no confirmation and never changes the status. People who unsubscribed, bounced or complained are refused (409).',
    fr: 'Modifie les champs donnés d’un abonné qui existe ; des appels simultanés ne perdent aucune étiquette les uns des autres. N’ajoute personne, n’envoie pas de confirmation et ne change jamais le statut. Les personnes désabonnées, en rebond ou plaignantes sont refusées (409).',
  }),
  access: 'subscribers:write',
  throttle: 'lookups',
  request: {
    path: subscriberPath,
    body: updateSubscriberRequest,
    example: { fields: { city: 'Paris' }, add_tags: ['vip'], remove_tags: ['trial'] },
  },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed subscriber.', fr: 'L’abonné modifié.' }),
      schema: subscriber,
      example: { ...example, tags: ['newsletter', 'vip'], fields: { city: 'Paris' } },
    },
  ],
  errors: ['not_found', 'conflict', 'suppressed_recipient', 'validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery', 'automation'] },
  function: { entry: 'functions/api/subscribers/update.ts' },
} as const satisfies Route;

export const deleteSubscriberRoute = {
  id: 'subscribers.delete',
  method: 'DELETE',
  path: '/api/v1/subscribers/{email}',
  group: 'subscribers',
  summary: text({ en: 'Unsubscribe', fr: 'Désabonner' }),
  description: text({
    en: 'Unsubscribes the person and adds the address to the suppression list. Irreversible through the API; the record is kept. Repeated calls get the same answer.',
    fr: 'Désabonne la personne et ajoute l’adresse à la liste d’exclusion. Irréversible par l’API ; la fiche est conservée. Les appels répétés reçoivent la même réponse.',
  }),
  access: 'subscribers:write',
  throttle: 'lookups',
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
  needs: { table: 'readWrite', queues: ['webhook-delivery', 'automation'] },
  function: { entry: 'functions/api/subscribers/delete.ts' },
} as const satisfies Route;

export const subscriberRoutes: readonly Route[] = [
  listSubscribersRoute,
  upsertSubscriberRoute,
  getSubscriberRoute,
  updateSubscriberRoute,
  deleteSubscriberRoute,
];
