import { updateTemplateRoute } from '../../../shared/contract/routes/templates.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updateTemplate } from '../../../shared/services/templates.ts';

export const handler = http(updateTemplateRoute, updateTemplate);
