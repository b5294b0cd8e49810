import { createWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createWebhook } from '../../../shared/services/webhooks/create.ts';

export const handler = http(createWebhookRoute, createWebhook);
