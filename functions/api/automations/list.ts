import { listAutomationsRoute } from '../../../shared/contract/routes/automations.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listAutomations } from '../../../shared/services/automations/readAutomations.ts';

export const handler = paged(listAutomationsRoute, listAutomations);
