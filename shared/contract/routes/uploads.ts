import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { createUploadRequest, upload } from '../schemas/files.ts';

const request = { filename: 'catalogue.pdf', size: 18_500_000, content_type: 'application/pdf' };

export const createUploadRoute = {
  id: 'uploads.create',
  method: 'POST',
  path: '/api/v1/uploads',
  group: 'uploads',
  summary: text({ en: 'Create an upload', fr: 'Créer un téléversement' }),
  description: text({
    en: 'Returns an address for one file of this size and type, valid for an hour. `PUT` the file there with the returned headers; then you can attach it with `attachments[].upload_id` for a day.',
    fr: 'Renvoie une adresse pour un fichier de cette taille et de ce type, valable une heure. Envoyez-y le fichier par `PUT` avec les en-têtes renvoyés ; vous pouvez ensuite le joindre par `attachments[].upload_id` pendant un jour.',
  }),
  access: 'emails:send',
  throttle: 'lookups',
  request: { body: createUploadRequest, example: request },
  responses: [
    {
      status: 201,
      description: text({ en: 'The upload.', fr: 'Le téléversement.' }),
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
