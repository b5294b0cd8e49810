import { getDeliveryRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getDelivery } from '../../../shared/services/webhooks/deliveries.ts';

export const handler = http(getDeliveryRoute, getDelivery);
