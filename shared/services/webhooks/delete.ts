import { ServiceError } from '../../contract/errors.ts';
import type { deleteWebhookRoute } from '../../contract/routes/webhooks.ts';
import { isId } from '../../domain/token/identifier.ts';
import type { Call, Reply } from '../../http/call.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { deleteWebhook as remove } from '../../store/webhook/webhooks.ts';

/** Ends a subscription at once. Its log, however long, is deleted by the queue's worker, or found by the sweeper. */
export async function deleteWebhook({ caller, path, now }: Call<typeof deleteWebhookRoute>): Promise<Reply> {
  const { workspaceId } = caller;
  if (!isId('whk', path.id) || !(await remove(workspaceId, path.id, now))) throw new ServiceError('not_found');
  await sendWebhookMessages([{ kind: 'erase', workspace_id: workspaceId, webhook_id: path.id }]).catch((error) =>
    logger.error('An erasure could not be queued; the sweeper will.', { error, webhook_id: path.id }),
  );
  return { status: 200, body: { object: 'webhook', id: path.id, deleted: true } };
}
