import { listSubscribersRoute } from '../../../shared/contract/routes/subscribers.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listSubscribers } from '../../../shared/services/subscribers/subscribers.ts';

export const handler = paged(listSubscribersRoute, listSubscribers);
