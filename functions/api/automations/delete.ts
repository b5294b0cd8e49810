import { deleteAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteAutomation } from '../../../shared/services/automations/endAutomations.ts';

export const handler = http(deleteAutomationRoute, deleteAutomation);
