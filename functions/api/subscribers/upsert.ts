import { upsertSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { upsertSubscriber } from '../../../shared/services/subscribers/subscribers.ts';

export const handler = http(upsertSubscriberRoute, upsertSubscriber);
