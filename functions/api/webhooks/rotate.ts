import { rotateWebhookRoute } from '../../../shared/contract/routes/webhooks.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { openedRotation, rotateWebhook } from '../../../shared/services/webhooks/webhooks.ts';

export const handler = keeping(rotateWebhookRoute, rotateWebhook, openedRotation);
