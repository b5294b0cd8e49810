import { updateWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updateWebhook } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = http(updateWebhookRoute, updateWebhook);
