import { listDeliveriesRoute } from '../../../shared/contract/routes/webhooks.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listDeliveries } from '../../../shared/services/deliveries/list.ts';

export const handler = paged(listDeliveriesRoute, listDeliveries);
