import { listDeliveriesRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { listDeliveries } from '../../../shared/services/deliveries/list.ts';

export const handler = http(listDeliveriesRoute, listDeliveries);
