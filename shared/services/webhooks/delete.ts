import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { deleteWebhookRoute } from '../../contract/routes/webhooks.ts';
import { isId } from '../../domain/token/identifier.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { deleteWebhook as remove } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

/** Ends a subscription at once. Its log, however long, is deleted by the queue's worker, or found by the sweeper. */
export const deleteWebhook = operatorVerb(
  { action: 'webhook.delete', needs: 'own', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof deleteWebhookRoute>,
  ): Promise<Output<typeof deleteWebhookRoute>> => {
    if (!isId('whk', id) || !(await remove({ workspaceId, webhookId: id }, now))) throw new ServiceError('not_found');
    await sendWebhookMessages([{ kind: 'erase', workspaceId, webhookId: id }]).catch((error) =>
      logger.error('An erasure could not be queued; the sweeper will.', { error, webhook_id: id }),
    );
    return { object: 'webhook', id, deleted: true };
  },
);
