import { ServiceError } from '../../contract/errors.ts';
import { isId } from '../../domain/token/identifier.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { getWebhook } from '../../store/webhook/webhooks.ts';

/** A webhook of the caller's workspace; `not_found` for any other id. */
export async function findWebhook(workspaceId: string, webhookId: string): Promise<Webhook> {
  const webhook = isId('whk', webhookId) ? await getWebhook({ workspaceId, webhookId }) : null;
  if (!webhook) throw new ServiceError('not_found');
  return webhook;
}
