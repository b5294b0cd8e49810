import type { Webhook, WebhookPosition } from '../../domain/webhook/webhook.ts';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { inParallel } from '../../platform/parallel.ts';
import { openWebhookSecret, sealWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import { getWebhook, listWebhooks, putSealedAnew } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';

const parallel = 5;

/**
 * Seals the secrets of a workspace's webhooks anew, under the current service secret, so that they need no earlier one:
 * those that sign beside the current one after a rotation as well. Answers how many webhooks there are.
 */
export const resealWebhooks = operatorVerb(
  { action: 'webhook.reseal', needs: 'own' },
  async (context: Context): Promise<number> => {
    const { workspaceId, now } = context;
    const webhooks = await listWebhooks(workspaceId);
    await inParallel(parallel, webhooks, (webhook) => reseal(webhook, now));
    return webhooks.length;
  },
);

/** One whose secret is rotated at this moment is read again: its former secret is to be sealed anew too. */
function reseal(position: WebhookPosition, now: Date): Promise<void> {
  return untilSettled(async () => {
    const webhook = await getWebhook(position);
    if (!webhook || (await putSealedAnew(webhook, await sealedAnew(webhook, now)))) return;
    return overtaken;
  });
}

/** What no longer signs is left out: it may be sealed under a service secret that is gone. */
async function sealedAnew(webhook: Webhook, now: Date) {
  const anew = async (sealed: string) => sealWebhookSecret(await openWebhookSecret(sealed, webhook), webhook);
  const valid = webhook.previousSecrets.filter(({ until }) => until > now);
  const [secret, ...previous] = await Promise.all([anew(webhook.secret), ...valid.map(({ sealed }) => anew(sealed))]);
  return { secret, previousSecrets: valid.map(({ until }, index) => ({ sealed: previous[index] ?? '', until })) };
}
