import { startAutomationRunRoute } from '../../../shared/contract/routes/automationRuns.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { startAutomationRun } from '../../../shared/services/runs/readRuns.ts';

export const handler = keeping(startAutomationRunRoute, startAutomationRun);
