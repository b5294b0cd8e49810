import { getWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getWebhook } from '../../../shared/services/webhooks/get.ts';

export const handler = http(getWebhookRoute, getWebhook);
