import { deleteWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteWebhook } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = http(deleteWebhookRoute, deleteWebhook);
