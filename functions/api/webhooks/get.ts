import { getWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getWebhook } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = http(getWebhookRoute, getWebhook);
