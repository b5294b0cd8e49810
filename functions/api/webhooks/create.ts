import { createWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createWebhook } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = http(createWebhookRoute, createWebhook);
