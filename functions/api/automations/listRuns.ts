import { listAutomationRunsRoute } from '../../../shared/contract/routes/automationRuns.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listAutomationRuns } from '../../../shared/services/runs/readRuns.ts';

export const handler = paged(listAutomationRunsRoute, listAutomationRuns);
