import { listSubscribersRoute } from '../../../shared/contract/routes/subscribers.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { listSubscribers } from '../../../shared/services/subscribers/list.ts';

export const handler = http(listSubscribersRoute, listSubscribers);
