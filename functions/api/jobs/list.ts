import { listJobsRoute } from '../../../shared/contract/routes/jobs.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listJobRecords } from '../../../shared/services/jobs/jobRecord.ts';

export const handler = paged(listJobsRoute, listJobRecords);
