import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import { createUploadRequest, upload } from '../schemas/upload.ts';

const group: Group = {
  name: { en: 'Uploads', fr: 'Téléversements' },
  description: {
    en: 'Files that are too large for a request: written to an address of their own, then attached by their identifier.',
    fr: 'Des fichiers trop gros pour une requête : écrits à une adresse à eux, puis joints par leur identifiant.',
  },
};

const request = { filename: 'catalogue.pdf', size: 18_500_000, content_type: 'application/pdf' };

export const createUploadRoute = {
  id: 'uploads.create',
  method: 'POST',
  path: '/api/v1/uploads',
  group,
  summary: text({ en: 'Announce a file', fr: 'Annoncer un fichier' }),
  description: text({
    en: 'Answers an address for one file of this size and type, good for an hour: `PUT` the file there with these headers, then send it as `attachments[].upload_id` for a day.',
    fr: 'Donne une adresse pour un fichier de cette taille et de ce type, valable une heure : écrivez-y le fichier par `PUT` avec ces en-têtes, puis envoyez-le en `attachments[].upload_id` pendant un jour.',
  }),
  access: 'emails:send',
  request: { body: createUploadRequest, example: request },
  responses: [
    {
      status: 201,
      description: text({ en: 'Where the file goes.', fr: 'Où va le fichier.' }),
      schema: upload,
      example: {
        id: 'upl_01k9zq3v5c8r2m4n6p7s9t0wxy',
        object: 'upload',
        ...request,
        method: 'PUT',
        url: 'https://files.s3.eu-west-3.amazonaws.com/uploads/ws_01k9zq3v5c8r2m4n6p7s9t0wxy/upl_01k9zq3v5c8r2m4n6p7s9t0wxy?X-Amz-Signature=5d41',
        headers: { 'content-type': 'application/pdf', 'content-length': '18500000' },
        url_expires_at: '2026-11-21T11:30:00.000Z',
        expires_at: '2026-11-22T10:30:00.000Z',
      },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'readWrite', files: ['writeUpload'] },
  function: { entry: 'functions/api/uploads/create.ts' },
} as const satisfies Route;

export const uploadRoutes: readonly Route[] = [createUploadRoute];
