import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { automationPath } from '../schemas/automation.ts';
import {
  automationRunList,
  automationRunPath,
  automationRun as automationRunSchema,
  automationStatsQuery,
  automationStats as automationStatsSchema,
  listAutomationRunsQuery,
  startAutomationRunRequest,
} from '../schemas/automationRun.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { noQuery } from '../schemas/segment.ts';

const summary = {
  object: 'automation_run',
  id: 'run_01k9zq3v5c8r2m4n6p7s9t0wxy',
  automation_id: 'auto_01k9zq3v5c8r2m4n6p7s9t0wxy',
  version: 1,
  email: 'ada@example.net',
  status: 'running',
  reason: null,
  step: 'rest',
  wakes_at: '2026-11-27T10:30:00.000Z',
  data: { product: 'Pro' },
  created_at: '2026-11-24T10:30:00.000Z',
  started_at: '2026-11-24T10:30:00.000Z',
  completed_at: null,
};
const stepOf = (key: string, type: string, status: string) => ({
  ...{ key, type, status, reason: null, output: null, error: null },
  ...{ started_at: summary.created_at, completed_at: null, created_at: summary.created_at },
});
const run = {
  ...summary,
  steps: [
    { ...stepOf('start', 'trigger', 'completed'), completed_at: summary.created_at },
    stepOf('rest', 'delay', 'waiting'),
  ],
};
const cancelled = {
  ...run,
  status: 'cancelled',
  reason: 'requested',
  wakes_at: null,
  completed_at: '2026-11-25T08:00:00.000Z',
};

/** Webhooks learn of the start and of the end of a run. */
const writes = { table: 'readWrite', queues: ['automation', 'webhook-delivery'] } as const;

export const listAutomationRunsRoute = {
  id: 'automations.runs.list',
  method: 'GET',
  path: '/api/v1/automations/{id}/runs',
  group: 'automations',
  summary: text({ en: 'List runs', fr: 'Lister les parcours' }),
  description: text({
    en: 'Newest first, without their steps; with `email`, the last 10 of a person. A run is kept for the retention of emails after its end.',
    fr: 'Du plus récent au plus ancien, sans leurs étapes ; avec `email`, les 10 derniers d’une personne. Un parcours est conservé, après sa fin, aussi longtemps que les e-mails.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { path: automationPath, query: listAutomationRunsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: automationRunList,
      example: { object: 'list', data: [summary], has_more: false, next_cursor: null },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/automations/listRuns.ts' },
} as const satisfies Route;

export const getAutomationRunRoute = {
  id: 'automations.runs.get',
  method: 'GET',
  path: '/api/v1/automations/{id}/runs/{runId}',
  group: 'automations',
  summary: text({ en: 'Get a run', fr: 'Obtenir un parcours' }),
  description: text({
    en: 'With the steps that it has reached.',
    fr: 'Avec les étapes qu’il a atteintes.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { path: automationRunPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The run.', fr: 'Le parcours.' }),
      schema: automationRunSchema,
      example: run,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/automations/getRun.ts' },
} as const satisfies Route;

export const startAutomationRunRoute = {
  id: 'automations.runs.start',
  method: 'POST',
  path: '/api/v1/automations/{id}/runs',
  group: 'automations',
  summary: text({ en: 'Start a run', fr: 'Démarrer un parcours' }),
  description: text({
    en: 'Starts a run for a subscriber, whatever the trigger of the automation. A refusal is 409, with the reason in `details.reason`: one of those of `not_started` in the statistics, for example `disabled` while the automation is not enabled.',
    fr: 'Démarre un parcours pour un abonné, quel que soit le déclencheur de l’automatisation. Un refus est une erreur 409, avec son motif dans `details.reason` : un de ceux de `not_started` dans les statistiques, par exemple `disabled` tant que l’automatisation n’est pas activée.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('trial-of-ada'),
    path: automationPath,
    query: noQuery,
    body: startAutomationRunRequest,
    example: { email: summary.email, data: summary.data },
  },
  responses: [
    {
      status: 202,
      description: text({ en: 'The run has started.', fr: 'Le parcours a commencé.' }),
      schema: automationRunSchema,
      headers: replayHeader,
      example: run,
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/startRun.ts' },
} as const satisfies Route;

export const cancelAutomationRunRoute = {
  id: 'automations.runs.cancel',
  method: 'POST',
  path: '/api/v1/automations/{id}/runs/{runId}/cancel',
  group: 'automations',
  summary: text({ en: 'Cancel a run', fr: 'Annuler un parcours' }),
  description: text({
    en: 'Ends an open run: none of its further steps happens. The answer is 409 for a run that has ended in another way.',
    fr: 'Met fin à un parcours ouvert : aucune de ses étapes suivantes n’a lieu. La réponse est 409 pour un parcours qui a pris fin autrement.',
  }),
  access: 'automations:write',
  throttle: 'administration',
  request: { path: automationRunPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The run is cancelled.', fr: 'Le parcours est annulé.' }),
      schema: automationRunSchema,
      example: cancelled,
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: writes,
  function: { entry: 'functions/api/automations/cancelRun.ts' },
} as const satisfies Route;

const counts = { started: 12, running: 2, completed: 9, cancelled: 1, failed: 0 };
const email = { sent: 9, unknown: 0, delivered: 9, opened: 4, clicked: 1, bounced: 0, complained: 0, unsubscribed: 1 };

export const automationStatsRoute = {
  id: 'automations.stats',
  method: 'GET',
  path: '/api/v1/automations/{id}/stats',
  group: 'automations',
  summary: text({ en: 'Get statistics', fr: 'Obtenir les statistiques' }),
  description: text({
    en: 'What became of the runs of a version, step by step. `started` is the sum of `running`, `completed`, `cancelled` and `failed`; `entered` that of `waiting`, `completed`, `skipped`, `failed` and `left`.',
    fr: 'Le sort des parcours d’une version, étape par étape. `started` est la somme de `running`, `completed`, `cancelled` et `failed` ; `entered` celle de `waiting`, `completed`, `skipped`, `failed` et `left`.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { path: automationPath, query: automationStatsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The statistics.', fr: 'Les statistiques.' }),
      schema: automationStatsSchema,
      example: {
        ...{ object: 'automation_stats', automation_id: summary.automation_id, version: 1, runs: counts },
        ...{ reasons: { end: 9, unsubscribed: 1 }, not_started: { already_running: 2 } },
        steps: [
          {
            ...{ key: 'tips', type: 'send_email', entered: 10, waiting: 0, completed: 9 },
            ...{ skipped: { too_late: 1 }, failed: 0, left: 0, branches: {}, email },
          },
        ],
      },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/automations/stats.ts' },
} as const satisfies Route;

export const automationRunRoutes: readonly Route[] = [
  listAutomationRunsRoute,
  startAutomationRunRoute,
  getAutomationRunRoute,
  cancelAutomationRunRoute,
  automationStatsRoute,
];
