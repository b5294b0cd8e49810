import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { preferences, updatePreferencesRequest } from '../schemas/preferences.ts';
import { noQuery } from '../schemas/segment.ts';
import { subscriberPath } from '../schemas/subscriber.ts';

const example = {
  object: 'preferences',
  email: 'ada@example.net',
  status: 'subscribed',
  tracking: { opens: 'unknown', clicks: 'unknown' },
  topics: [{ id: 'top_3v5c8r2m4n6p7s9t0wxy01k9zq', name: 'Product news', subscription: 'opt_in' }],
};

const path = '/api/v1/subscribers/{email}/preferences';

export const getPreferencesRoute = {
  id: 'preferences.get',
  method: 'GET',
  path,
  group: 'subscribers',
  summary: text({ en: 'Read preferences', fr: 'Lire les préférences' }),
  description: text({
    en: 'What a subscriber said about tracking, and which topics they receive.',
    fr: 'Ce qu’un abonné a dit du suivi, et les types d’e-mails qu’il reçoit.',
  }),
  access: 'subscribers:read',
  throttle: 'lookups',
  request: { path: subscriberPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The preferences.', fr: 'Les préférences.' }),
      schema: preferences,
      example,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/preferences/get.ts' },
} as const satisfies Route;

export const updatePreferencesRoute = {
  id: 'preferences.update',
  method: 'PATCH',
  path,
  group: 'subscribers',
  summary: text({ en: 'Change preferences', fr: 'Modifier les préférences' }),
  description: text({
    en: 'Records what a person said elsewhere. Tracking can be `denied` at any time, and `granted` only from `unknown` and with its proof. A topic can be left, never returned to: what a person left or refused, by themself or through this call, is a 409. Only the page behind the unsubscribe link of their mail gives it back. A `granted` changes nothing about what is tracked.',
    fr: 'Enregistre ce qu’une personne a dit ailleurs. Le suivi peut toujours passer à `denied`, et à `granted` seulement depuis `unknown` et avec sa preuve. Un type d’e-mail peut être quitté, jamais repris : ce qu’une personne a quitté ou refusé, elle-même ou par cet appel, donne une erreur 409. Seule la page du lien de désabonnement de ses messages le rend. Un `granted` ne change rien à ce qui est suivi.',
  }),
  access: 'subscribers:write',
  throttle: 'lookups',
  request: {
    path: subscriberPath,
    query: noQuery,
    body: updatePreferencesRequest,
    example: { tracking: { clicks: 'denied' } },
  },
  responses: [
    {
      status: 200,
      description: text({ en: 'The preferences.', fr: 'Les préférences.' }),
      schema: preferences,
      example: { ...example, tracking: { opens: 'unknown', clicks: 'denied' } },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery', 'automation'] },
  function: { entry: 'functions/api/preferences/update.ts' },
} as const satisfies Route;

export const preferenceRoutes: readonly Route[] = [getPreferencesRoute, updatePreferencesRoute];
