import { stopAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { stopAutomation } from '../../../shared/services/automations/endAutomations.ts';

export const handler = http(stopAutomationRoute, stopAutomation);
