import { deleteTemplateRoute } from '../../../shared/contract/routes/templates.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteTemplate } from '../../../shared/services/templates.ts';

export const handler = http(deleteTemplateRoute, deleteTemplate);
