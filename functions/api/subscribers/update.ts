import { updateSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updateSubscriber } from '../../../shared/services/subscribers/subscribers.ts';

export const handler = http(updateSubscriberRoute, updateSubscriber);
