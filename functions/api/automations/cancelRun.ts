import { cancelAutomationRunRoute } from '../../../shared/contract/routes/automationRuns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { cancelAutomationRun } from '../../../shared/services/runs/readRuns.ts';

export const handler = http(cancelAutomationRunRoute, cancelAutomationRun);
