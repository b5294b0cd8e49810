import { testWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { testWebhook } from '../../../shared/services/webhooks/deliveries.ts';

export const handler = http(testWebhookRoute, testWebhook);
