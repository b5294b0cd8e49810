import { getJobRoute } from '../../../shared/contract/routes/jobs.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showJob } from '../../../shared/services/jobs/jobRecord.ts';

export const handler = http(getJobRoute, showJob);
