import { createUploadRoute } from '../../../shared/contract/routes/uploads.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createUpload } from '../../../shared/services/uploads.ts';

export const handler = http(createUploadRoute, createUpload);
