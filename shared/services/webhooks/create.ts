import { ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createWebhookRoute } from '../../contract/routes/webhooks.ts';
import { maxNameCharacters } from '../../contract/schemas/webhook.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Text } from '../../language/text.ts';
import { webhookKey } from '../../store/table/keys.ts';
import { putWebhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { checkHost } from './checkHost.ts';
import { webhookRecord } from './record.ts';
import { createWebhookSecret, sealWebhookSecret } from './webhookSecret.ts';

export const maxWebhooks = 20;

/** A new subscription, answered with its secret. */
export async function createWebhook(
  { workspaceId, now }: Context,
  input: Input<typeof createWebhookRoute>,
): Promise<Output<typeof createWebhookRoute>> {
  await checkHost(input.url);
  const id = createId('whk', now);
  const secret = createWebhookSecret();
  const webhook = {
    workspace_id: workspaceId,
    webhook_id: id,
    name: input.name ?? new URL(input.url).host.slice(0, maxNameCharacters),
    url: input.url,
    events: input.events,
    enabled: input.enabled,
    secret: await sealWebhookSecret(secret, webhookKey(workspaceId, id)),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  if (!(await putWebhook(webhook, maxWebhooks))) throw new ValidationError([{ path: '', text: tooMany }]);
  return { ...webhookRecord(webhook), secret };
}

const tooMany: Text = {
  en: `a workspace has at most ${maxWebhooks} webhook subscriptions: delete one first`,
  fr: `un espace compte au plus ${maxWebhooks} abonnements webhook : supprimez-en un d’abord`,
};
