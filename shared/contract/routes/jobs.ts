import { type Text, text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import {
  createExportRequest,
  eraseSubscriberRequest,
  jobList,
  jobPath,
  job as jobSchema,
  listJobsQuery,
} from '../schemas/job.ts';
import { noQuery } from '../schemas/segment.ts';
import { subscriberPath } from '../schemas/subscriber.ts';

const none = { percent: null, added: null, updated: null, suppressed: null, refused: null };
export const preparingJob = {
  object: 'job',
  id: 'job_01k9zq3v5c8r2m4n6p7s9t0wxy',
  kind: 'import',
  status: 'preparing',
  progress: { records: 0, percent: 0, added: 0, updated: 0, suppressed: 0, refused: 0 },
  failure: null,
  download: null,
  created_at: '2026-11-21T10:30:00.000Z',
  ended_at: null,
};
export const runningJob = { ...preparingJob, status: 'running' };
const begun = { ...runningJob, progress: { ...none, records: 0 } };
const exported = {
  ...begun,
  kind: 'export',
  status: 'done',
  progress: { ...none, records: 320, percent: 100 },
  download: {
    url: 'https://files.s3.eu-west-3.amazonaws.com/exports/ws_01k9zq3v5c8r2m4n6p7s9t0wxy/job_01k9zq3v5c8r2m4n6p7s9t0wxy?X-Amz-Signature=5d41',
    expires_at: '2026-11-21T10:40:00.000Z',
  },
  ended_at: '2026-11-21T10:31:00.000Z',
};

/** Of every route that starts or changes a job. */
export const keptJob = { keepsAnswer: true, throttle: 'administration', group: 'jobs' } as const;

export const accepted = (description: Text, shown: object) =>
  [{ status: 202, description: text(description), schema: jobSchema, headers: replayHeader, example: shown }] as const;

export const createExportRoute = {
  ...keptJob,
  id: 'exports.create',
  method: 'POST',
  path: '/api/v1/exports',
  summary: text({ en: 'Create an export', fr: 'Créer un export' }),
  description: text({
    en: 'Writes subscribers to a file: all of them, those of one status, or a segment. When the job is done, its `download` has the address.',
    fr: 'Écrit des abonnés dans un fichier : tous, ceux d’un statut, ou un segment. Quand la tâche est terminée, son `download` donne l’adresse.',
  }),
  access: 'subscribers:read',
  request: {
    headers: idempotencyHeaders('export-of-november'),
    query: noQuery,
    body: createExportRequest,
    example: { format: 'csv', status: 'subscribed' },
  },
  responses: accepted({ en: 'The export is running.', fr: 'L’export est en cours.' }, { ...begun, kind: 'export' }),
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['job'] },
  function: { entry: 'functions/api/exports/create.ts' },
} as const satisfies Route;

export const exportSubscriberRoute = {
  ...keptJob,
  id: 'subscribers.export',
  method: 'POST',
  path: '/api/v1/subscribers/{email}/export',
  summary: text({ en: 'Export a person', fr: 'Exporter une personne' }),
  description: text({
    en: 'Writes everything that is stored about an address to a JSON file: the person, their consents and preferences, and the mail sent to them. It reads the whole table.',
    fr: 'Écrit dans un fichier JSON tout ce qui est conservé sur une adresse : la personne, ses consentements et préférences, et les messages reçus. Toute la table est lue.',
  }),
  access: 'subscribers:read',
  request: { headers: idempotencyHeaders('export-of-ada'), path: subscriberPath, query: noQuery },
  responses: accepted(
    { en: 'The export is running.', fr: 'L’export est en cours.' },
    { ...begun, kind: 'person_export' },
  ),
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['job'] },
  function: { entry: 'functions/api/subscribers/export.ts' },
} as const satisfies Route;

export const eraseSubscriberRoute = {
  ...keptJob,
  id: 'subscribers.erase',
  method: 'POST',
  path: '/api/v1/subscribers/{email}/erase',
  summary: text({ en: 'Erase a person', fr: 'Effacer une personne' }),
  description: text({
    en: 'Erases everything that is stored about an address, for good; a salted hash keeps it suppressed. `confirm` repeats the address. It cannot be cancelled.',
    fr: 'Efface définitivement tout ce qui est conservé sur une adresse ; un hachage salé la garde exclue. `confirm` répète l’adresse. Ce n’est pas annulable.',
  }),
  access: 'subscribers:erase',
  request: {
    headers: idempotencyHeaders('erasure-of-ada'),
    path: subscriberPath,
    query: noQuery,
    body: eraseSubscriberRequest,
    example: { confirm: 'ada@example.net' },
  },
  responses: accepted(
    { en: 'The erasure is running.', fr: 'L’effacement est en cours.' },
    { ...begun, kind: 'erasure' },
  ),
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['job'] },
  function: { entry: 'functions/api/subscribers/erase.ts' },
} as const satisfies Route;

export const listJobsRoute = {
  id: 'jobs.list',
  method: 'GET',
  path: '/api/v1/jobs',
  group: 'jobs',
  summary: text({ en: 'List jobs', fr: 'Lister les tâches' }),
  description: text({
    en: 'Newest first, for a month, those of operators included. A key sees the kinds that it may begin: imports with `subscribers:write`, exports with `subscribers:read`, erasures with `subscribers:erase`. A page may have fewer entries than `limit`.',
    fr: 'De la plus récente à la plus ancienne, pendant un mois, celles des opérateurs comprises. Une clé voit les sortes qu’elle peut lancer : imports avec `subscribers:write`, exports avec `subscribers:read`, effacements avec `subscribers:erase`. Une page peut avoir moins d’entrées que `limit`.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { query: listJobsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: jobList,
      example: { object: 'list', data: [exported, preparingJob], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true, files: ['readReport', 'readExport'] },
  function: { entry: 'functions/api/jobs/list.ts' },
} as const satisfies Route;

export const getJobRoute = {
  id: 'jobs.get',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  group: 'jobs',
  summary: text({ en: 'Get a job', fr: 'Obtenir une tâche' }),
  description: text({
    en: 'The job with its progress. A job of a kind that the key may not begin is a 404.',
    fr: 'La tâche et son avancement. Une tâche d’une sorte que la clé ne peut pas lancer donne une erreur 404.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { path: jobPath, query: noQuery },
  responses: [
    { status: 200, description: text({ en: 'The job.', fr: 'La tâche.' }), schema: jobSchema, example: exported },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read', files: ['readReport', 'readExport'] },
  function: { entry: 'functions/api/jobs/get.ts' },
} as const satisfies Route;

export const cancelJobRoute = {
  ...keptJob,
  id: 'jobs.cancel',
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  summary: text({ en: 'Cancel a job', fr: 'Annuler une tâche' }),
  description: text({
    en: 'Stops a job; what it has done stays done. 409 for an erasure, and for a job that ended otherwise.',
    fr: 'Arrête une tâche ; ce qu’elle a fait reste fait. 409 pour un effacement, et pour une tâche terminée autrement.',
  }),
  access: 'key',
  request: { headers: idempotencyHeaders('cancel-of-november'), path: jobPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The job is canceled.', fr: 'La tâche est annulée.' }),
      schema: jobSchema,
      headers: replayHeader,
      example: { ...preparingJob, status: 'canceled', ended_at: '2026-11-21T10:31:00.000Z' },
    },
  ],
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/jobs/cancel.ts' },
} as const satisfies Route;

export const jobRoutes: readonly Route[] = [
  createExportRoute,
  exportSubscriberRoute,
  eraseSubscriberRoute,
  listJobsRoute,
  getJobRoute,
  cancelJobRoute,
];
