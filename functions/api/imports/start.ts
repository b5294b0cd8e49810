import { startImportRoute } from '../../../shared/contract/routes/imports.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { startImport } from '../../../shared/services/imports/uploadedImport.ts';

export const handler = keeping(startImportRoute, startImport);
