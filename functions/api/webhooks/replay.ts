import { replayDeliveryRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { replayDelivery } from '../../../shared/services/webhooks/deliveries.ts';

export const handler = http(replayDeliveryRoute, replayDelivery);
