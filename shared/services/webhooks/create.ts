import { ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createWebhookRoute } from '../../contract/routes/webhooks.ts';
import { maxNameCharacters } from '../../contract/schemas/webhook.ts';
import { createId } from '../../domain/token/identifier.ts';
import { newWebhook } from '../../domain/webhook/webhook.ts';
import type { Text } from '../../language/text.ts';
import { createWebhookSecret, sealWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import { addWebhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { checkHost } from './checkHost.ts';
import { shownWebhook } from './shown.ts';

const maxWebhooks = 20;

/** A new subscription, answered with its secret. */
export const createWebhook = operatorVerb(
  { action: 'webhook.create', needs: 'own', subject: ({ url }) => new URL(url).host, byKeys: true },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof createWebhookRoute>,
  ): Promise<Output<typeof createWebhookRoute>> => {
    await checkHost(input.url);
    const position = { workspaceId, webhookId: createId('whk', now) };
    const secret = createWebhookSecret();
    const name = input.name ?? new URL(input.url).host.slice(0, maxNameCharacters);
    const webhook = newWebhook(position, { ...input, name }, await sealWebhookSecret(secret, position), now);
    if (!(await addWebhook(webhook, maxWebhooks))) throw new ValidationError([{ path: '', text: tooMany }]);
    return { ...shownWebhook(webhook), secret };
  },
);

const tooMany: Text = {
  en: `a workspace has at most ${maxWebhooks} webhook subscriptions: delete one first`,
  fr: `un espace compte au plus ${maxWebhooks} abonnements webhook : supprimez-en un d’abord`,
};
