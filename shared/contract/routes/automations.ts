import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  automationList,
  automationPath,
  automation as automationSchema,
  createAutomationRequest,
  deletedAutomation,
  getAutomationQuery,
  listAutomationsQuery,
  stoppedAutomation,
  updateAutomationRequest,
} from '../schemas/automation.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { noQuery } from '../schemas/segment.ts';

const head = {
  object: 'automation',
  id: 'auto_01k9zq3v5c8r2m4n6p7s9t0wxy',
  name: 'Trial',
  status: 'disabled',
  version: 1,
  held: null,
  created_at: '2026-11-24T10:30:00.000Z',
  updated_at: '2026-11-24T10:30:00.000Z',
};
const written = {
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'trial_started' } },
    { key: 'rest', type: 'delay', config: { duration: '3 days' } },
    {
      key: 'tips',
      type: 'send_email',
      config: { subject: 'Three tips for {{event.product|your trial}}', text: 'Hello {{contact.firstName|there}}!' },
    },
  ],
  connections: [
    { from: 'start', to: 'rest', type: 'default' },
    { from: 'rest', to: 'tips', type: 'default' },
  ],
};
const automation = {
  ...head,
  ...written,
  ...{ reentry: 'once', run_key: null, goals: [], topic_id: null, tag: null, from: null, reply_to: null, track: null },
  ...{ quiet_hours: null, max_delay: null },
};

/** A job ends or wakes runs, or looks at everybody, after the call. */
const writes = { table: 'readWrite', queues: ['automation'] } as const;

export const listAutomationsRoute = {
  id: 'automations.list',
  method: 'GET',
  path: '/api/v1/automations',
  group: 'automations',
  summary: text({ en: 'List automations', fr: 'Lister les automatisations' }),
  description: text({
    en: 'Newest first, without their steps.',
    fr: 'De la plus récente à la plus ancienne, sans leurs étapes.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { query: listAutomationsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: automationList,
      example: { object: 'list', data: [head], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/automations/list.ts' },
} as const satisfies Route;

export const getAutomationRoute = {
  id: 'automations.get',
  method: 'GET',
  path: '/api/v1/automations/{id}',
  group: 'automations',
  summary: text({ en: 'Get an automation', fr: 'Obtenir une automatisation' }),
  description: text({
    en: 'With its steps, in its newest version or another one.',
    fr: 'Avec ses étapes, dans sa version la plus récente ou une autre.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { path: automationPath, query: getAutomationQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The automation.', fr: 'L’automatisation.' }),
      schema: automationSchema,
      example: automation,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/automations/get.ts' },
} as const satisfies Route;

export const createAutomationRoute = {
  id: 'automations.create',
  method: 'POST',
  path: '/api/v1/automations',
  group: 'automations',
  summary: text({ en: 'Create an automation', fr: 'Créer une automatisation' }),
  description: text({
    en: 'It is `disabled` unless `status` says otherwise. A refusal names everything that is wrong with the definition, each with its path. At most 100 automations per workspace.',
    fr: 'Elle est `disabled` sauf si `status` dit autre chose. Un refus nomme tout ce qui ne va pas dans la définition, avec le chemin de chaque problème. 100 automatisations au plus par espace.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('trial-automation'),
    body: createAutomationRequest,
    example: { name: head.name, ...written },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The automation.', fr: 'L’automatisation.' }),
      schema: automationSchema,
      headers: replayHeader,
      example: automation,
    },
  ],
  keepsAnswer: true,
  errors: ['conflict', 'idempotency_key_reused', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/create.ts' },
} as const satisfies Route;

export const updateAutomationRoute = {
  id: 'automations.update',
  method: 'PATCH',
  path: '/api/v1/automations/{id}',
  group: 'automations',
  summary: text({ en: 'Change an automation', fr: 'Modifier une automatisation' }),
  description: text({
    en: 'Changes the given fields; null clears one. Any change but of name and status makes a new version: runs end on the version that they began with, while `status`, `tag`, `quiet_hours` and `max_delay` hold at once for all runs.',
    fr: 'Modifie les champs donnés ; null en vide un. Tout changement sauf du nom et du statut crée une version : les parcours se terminent avec la version de leur début, tandis que `status`, `tag`, `quiet_hours` et `max_delay` valent aussitôt pour tous.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: { path: automationPath, body: updateAutomationRequest, example: { name: 'Trial of 14 days' } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed automation.', fr: 'L’automatisation modifiée.' }),
      schema: automationSchema,
      example: { ...automation, name: 'Trial of 14 days', updated_at: '2026-11-24T11:00:00.000Z' },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/update.ts' },
} as const satisfies Route;

export const stopAutomationRoute = {
  id: 'automations.stop',
  method: 'POST',
  path: '/api/v1/automations/{id}/stop',
  group: 'automations',
  summary: text({ en: 'Stop an automation', fr: 'Arrêter une automatisation' }),
  description: text({
    en: 'Disables it and ends every open run: no message is begun more than 10 seconds after the answer.',
    fr: 'La désactive et met fin à tous les parcours ouverts : aucun message n’est commencé plus de 10 secondes après la réponse.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: { path: automationPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The automation is stopped.', fr: 'L’automatisation est arrêtée.' }),
      schema: stoppedAutomation,
      example: { object: 'automation', id: head.id, status: 'disabled' },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/stop.ts' },
} as const satisfies Route;

export const duplicateAutomationRoute = {
  id: 'automations.duplicate',
  method: 'POST',
  path: '/api/v1/automations/{id}/duplicate',
  group: 'automations',
  summary: text({ en: 'Duplicate an automation', fr: 'Dupliquer une automatisation' }),
  description: text({
    en: 'A new automation with the same definition, `disabled` and without runs.',
    fr: 'Une nouvelle automatisation avec la même définition, `disabled` et sans parcours.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: { path: automationPath, headers: idempotencyHeaders('trial-automation-copy') },
  responses: [
    {
      status: 201,
      description: text({ en: 'The new automation.', fr: 'La nouvelle automatisation.' }),
      schema: automationSchema,
      headers: replayHeader,
      example: { ...automation, id: 'auto_01k9zq4a6d9s3n5q7r8t0w1xyz' },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/duplicate.ts' },
} as const satisfies Route;

export const deleteAutomationRoute = {
  id: 'automations.delete',
  method: 'DELETE',
  path: '/api/v1/automations/{id}',
  group: 'automations',
  summary: text({ en: 'Delete an automation', fr: 'Supprimer une automatisation' }),
  description: text({
    en: 'Ends every open run. Its runs stay readable as long as others.',
    fr: 'Met fin à tous les parcours ouverts. Ses parcours restent lisibles aussi longtemps que les autres.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: { path: automationPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The automation is deleted.', fr: 'L’automatisation est supprimée.' }),
      schema: deletedAutomation,
      example: { object: 'automation', id: head.id, deleted: true },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/delete.ts' },
} as const satisfies Route;

export const automationRoutes: readonly Route[] = [
  listAutomationsRoute,
  createAutomationRoute,
  getAutomationRoute,
  updateAutomationRoute,
  stopAutomationRoute,
  duplicateAutomationRoute,
  deleteAutomationRoute,
];
