import { getSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getSubscriber } from '../../../shared/services/subscribers/subscribers.ts';

export const handler = http(getSubscriberRoute, getSubscriber);
