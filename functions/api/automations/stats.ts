import { automationStatsRoute } from '../../../shared/contract/routes/automationRuns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { automationStats } from '../../../shared/services/runs/readRuns.ts';

export const handler = http(automationStatsRoute, automationStats);
