import { cancelJobRoute } from '../../../shared/contract/routes/jobs.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { stopJob } from '../../../shared/services/jobs/jobRecord.ts';

export const handler = keeping(cancelJobRoute, stopJob);
