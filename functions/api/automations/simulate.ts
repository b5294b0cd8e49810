import { simulateAutomationRoute } from '../../../shared/contract/routes/automationSimulation.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { simulateAutomation } from '../../../shared/services/automations/simulateAutomation.ts';

export const handler = http(simulateAutomationRoute, simulateAutomation);
