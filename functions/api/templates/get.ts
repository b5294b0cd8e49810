import { getTemplateRoute } from '../../../shared/contract/routes/templates.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getTemplate } from '../../../shared/services/templates.ts';

export const handler = http(getTemplateRoute, getTemplate);
