import { webhookKey } from '../../store/table/keys.ts';
import { changeWebhook, listWebhooks, type Webhook } from '../../store/webhook/webhooks.ts';
import { openWebhookSecret, sealWebhookSecret } from './webhookSecret.ts';

/**
 * Seals the secrets of a workspace's webhooks anew, under the current service secret, so that the previous one can go.
 * Answers how many webhooks there are. One whose secret is rotated at this moment is sealed anew by that.
 */
export async function resealWebhooks(workspaceId: string): Promise<number> {
  const webhooks = await listWebhooks(workspaceId);
  for (const webhook of webhooks) await reseal(webhook);
  return webhooks.length;
}

async function reseal(webhook: Webhook): Promise<void> {
  const { workspace_id, webhook_id, secret, previous_secret } = webhook;
  const key = webhookKey(workspace_id, webhook_id);
  const anew = async (sealed: string) => sealWebhookSecret(await openWebhookSecret(sealed, key), key);
  await changeWebhook(workspace_id, webhook_id, {
    set: { secret: await anew(secret), ...(previous_secret && { previous_secret: await anew(previous_secret) }) },
    expect: { secret },
  });
}
