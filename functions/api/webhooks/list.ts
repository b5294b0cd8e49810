import { listWebhooksRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { listWebhooks } from '../../../shared/services/webhooks/list.ts';

export const handler = http(listWebhooksRoute, listWebhooks);
