import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { createdImport, createImportRequest } from '../schemas/import.ts';
import { jobPath } from '../schemas/job.ts';
import { noQuery } from '../schemas/segment.ts';
import { accepted, keptJob, preparingJob, runningJob } from './jobs.ts';

export const createImportRoute = {
  ...keptJob,
  id: 'imports.create',
  method: 'POST',
  path: '/api/v1/imports',
  summary: text({ en: 'Create an import', fr: 'Créer un import' }),
  description: text({
    en: 'Announces a CSV file (UTF-8, with a first line of titles) and says what its columns are. `PUT` the file to `upload.url` with the headers of `upload` within an hour, then start the import. Each line follows the rules of `POST /subscribers`: people who unsubscribed, bounced or complained are refused, and no import brings them back. The keys of a workspace may have 20 jobs open at a time (429).',
    fr: 'Annonce un fichier CSV (UTF-8, dont la première ligne porte les titres) et dit ce que sont ses colonnes. Envoyez le fichier par `PUT` à `upload.url` avec les en-têtes de `upload` avant une heure, puis lancez l’import. Chaque ligne suit les règles de `POST /subscribers` : les personnes désabonnées, en rebond ou plaignantes sont refusées, et aucun import ne les ramène. Les clés d’un espace peuvent avoir 20 tâches ouvertes à la fois (429).',
  }),
  access: 'subscribers:write',
  request: {
    headers: idempotencyHeaders('import-of-november'),
    query: noQuery,
    body: createImportRequest,
    example: {
      filename: 'people.csv',
      size: 96,
      kind: 'subscribers',
      consent_given: true,
      columns: [
        { header: 'Email', as: 'email' },
        { header: 'First name', as: 'firstName' },
        { header: 'City', as: 'field', field: 'city' },
      ],
    },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The job, and where the file goes.', fr: 'La tâche, et où va le fichier.' }),
      schema: createdImport,
      headers: replayHeader,
      example: {
        ...preparingJob,
        upload: {
          url: 'https://files.s3.eu-west-3.amazonaws.com/imports/ws_01k9zq3v5c8r2m4n6p7s9t0wxy/job_01k9zq3v5c8r2m4n6p7s9t0wxy/upload?X-Amz-Signature=5d41',
          headers: { 'content-type': 'text/csv', 'content-length': '96' },
        },
      },
    },
  ],
  errors: ['conflict', 'idempotency_key_reused', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite', files: ['writeImport'] },
  function: { entry: 'functions/api/imports/create.ts' },
} as const satisfies Route;

export const startImportRoute = {
  ...keptJob,
  id: 'imports.start',
  method: 'POST',
  path: '/api/v1/imports/{id}/start',
  summary: text({ en: 'Start an import', fr: 'Lancer un import' }),
  description: text({
    en: 'Checks the first line of the file against `columns`, and starts. 409 while the file has not arrived, and after the import has ended; 422 for a file that is not as declared, which may be uploaded again. A file that is replaced after the start ends the import.',
    fr: 'Contrôle la première ligne du fichier d’après `columns`, et lance. 409 tant que le fichier n’est pas arrivé, et une fois l’import terminé ; 422 pour un fichier qui n’est pas comme annoncé, et peut être renvoyé. Un fichier remplacé après le départ met fin à l’import.',
  }),
  access: 'subscribers:write',
  request: { headers: idempotencyHeaders('start-of-november'), path: jobPath, query: noQuery },
  responses: accepted({ en: 'The import is running.', fr: 'L’import est en cours.' }, runningJob),
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', files: ['readImport'], queues: ['job'] },
  function: { entry: 'functions/api/imports/start.ts' },
} as const satisfies Route;

export const importRoutes: readonly Route[] = [createImportRoute, startImportRoute];
