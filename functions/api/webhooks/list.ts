import { listWebhooksRoute } from '../../../shared/contract/routes/webhooks.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listWebhooks } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = paged(listWebhooksRoute, listWebhooks);
