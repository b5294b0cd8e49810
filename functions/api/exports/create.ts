import { createExportRoute } from '../../../shared/contract/routes/jobs.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createExport } from '../../../shared/services/exports.ts';

export const handler = keeping(createExportRoute, createExport);
