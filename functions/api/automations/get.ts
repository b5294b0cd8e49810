import { getAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getAutomation } from '../../../shared/services/automations/readAutomations.ts';

export const handler = http(getAutomationRoute, getAutomation);
