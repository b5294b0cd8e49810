import { ValidationError } from '../../contract/errors.ts';
import type { createWebhookRoute } from '../../contract/routes/webhooks.ts';
import { maxNameCharacters } from '../../contract/schemas/webhook.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Call, Reply } from '../../http/call.ts';
import { webhookKey } from '../../store/table/keys.ts';
import { putWebhook } from '../../store/webhook/webhooks.ts';
import { checkHost } from './checkHost.ts';
import { webhookRecord } from './record.ts';
import { createWebhookSecret, sealWebhookSecret } from './webhookSecret.ts';

export const maxWebhooks = 20;

/** A new subscription, answered with its secret. */
export async function createWebhook({ body, caller, now }: Call<typeof createWebhookRoute>): Promise<Reply> {
  await checkHost(body.url);
  const id = createId('whk', now);
  const secret = createWebhookSecret();
  const webhook = {
    workspace_id: caller.workspaceId,
    webhook_id: id,
    name: body.name ?? new URL(body.url).host.slice(0, maxNameCharacters),
    url: body.url,
    events: body.events,
    enabled: body.enabled,
    secret: await sealWebhookSecret(secret, webhookKey(caller.workspaceId, id)),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  if (!(await putWebhook(webhook, maxWebhooks))) throw new ValidationError([{ path: '', text: tooMany }]);
  return { status: 201, body: { ...webhookRecord(webhook), secret } };
}

const tooMany = {
  en: `a workspace has at most ${maxWebhooks} webhook subscriptions: delete one first`,
  fr: `un espace compte au plus ${maxWebhooks} abonnements webhook : supprimez-en un d’abord`,
};
