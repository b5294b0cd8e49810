import { ServiceError } from '../../contract/errors.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getWebhook, type Webhook } from '../../store/webhook/webhooks.ts';

/** A webhook of the caller's workspace; `not_found` for any other id. */
export async function findWebhook(workspaceId: string, id: string): Promise<Webhook> {
  const webhook = isId('whk', id) ? await getWebhook(workspaceId, id) : null;
  if (!webhook) throw new ServiceError('not_found');
  return webhook;
}
