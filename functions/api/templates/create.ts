import { createTemplateRoute } from '../../../shared/contract/routes/templates.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createTemplate } from '../../../shared/services/templates.ts';

export const handler = http(createTemplateRoute, createTemplate);
