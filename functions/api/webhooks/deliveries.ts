import { listDeliveriesRoute } from '../../../shared/contract/routes/webhooks.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listDeliveries } from '../../../shared/services/webhooks/deliveries.ts';

export const handler = paged(listDeliveriesRoute, listDeliveries);
