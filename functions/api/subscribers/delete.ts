import { deleteSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteSubscriber } from '../../../shared/services/subscribers/subscribers.ts';

export const handler = http(deleteSubscriberRoute, deleteSubscriber);
