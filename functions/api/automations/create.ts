import { createAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createAutomation } from '../../../shared/services/automations/changeAutomations.ts';

export const handler = keeping(createAutomationRoute, createAutomation);
