import { simulateDefinitionRoute } from '../../../shared/contract/routes/automationSimulation.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { simulateDefinition } from '../../../shared/services/automations/simulateAutomation.ts';

export const handler = http(simulateDefinitionRoute, simulateDefinition);
