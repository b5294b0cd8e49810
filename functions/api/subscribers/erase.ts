import { eraseSubscriberRoute } from '../../../shared/contract/routes/jobs.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { eraseSubscriber } from '../../../shared/services/rights/rightsJobs.ts';

export const handler = keeping(eraseSubscriberRoute, eraseSubscriber);
