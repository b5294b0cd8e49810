import { getAutomationRunRoute } from '../../../shared/contract/routes/automationRuns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getAutomationRun } from '../../../shared/services/runs/readRuns.ts';

export const handler = http(getAutomationRunRoute, getAutomationRun);
