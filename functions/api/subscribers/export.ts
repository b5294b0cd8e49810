import { exportSubscriberRoute } from '../../../shared/contract/routes/jobs.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { exportSubscriber } from '../../../shared/services/rights/rightsJobs.ts';

export const handler = keeping(exportSubscriberRoute, exportSubscriber);
