import { updateAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updateAutomation } from '../../../shared/services/automations/changeAutomations.ts';

export const handler = http(updateAutomationRoute, updateAutomation);
