import { createImportRoute } from '../../../shared/contract/routes/imports.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createImport, withUpload } from '../../../shared/services/imports/uploadedImport.ts';

export const handler = keeping(createImportRoute, createImport, withUpload);
