import { duplicateAutomationRoute } from '../../../shared/contract/routes/automations.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { duplicateAutomation } from '../../../shared/services/automations/changeAutomations.ts';

export const handler = keeping(duplicateAutomationRoute, duplicateAutomation);
