import { listTemplatesRoute } from '../../../shared/contract/routes/templates.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listTemplates } from '../../../shared/services/templates.ts';

export const handler = paged(listTemplatesRoute, listTemplates);
