import type { Webhook, WebhookPosition } from '../domain/webhook/webhook.ts';
import { overtaken, untilSettled } from '../platform/deadline.ts';
import { inParallel } from '../platform/parallel.ts';
import { rotateStoredSecret } from '../platform/secretRotation.ts';
import { openWebhookSecret, sealWebhookSecret } from '../store/webhook/webhookSecret.ts';
import { getWebhook, listWebhooks, putSealedAnew } from '../store/webhook/webhooks.ts';
import type { Context, DeploymentContext } from './context.ts';
import { operatorVerb } from './operatorVerb.ts';

/**
 * Creates a new service secret and a new secret of the console. Links, cursors and webhook secrets made with earlier
 * ones stay valid, and so do open sessions of the console; an earlier secret signs no new session.
 */
export const rotateSecret = /* @__PURE__ */ operatorVerb(
  { action: 'secret.rotate', needs: 'platform' },
  async (context: DeploymentContext) => {
    await rotateStoredSecret('CONSOLE_SECRET');
    const kept = (await rotateStoredSecret('SERVICE_SECRET')) - 1;
    return { object: 'service_secret' as const, rotated_at: context.now.toISOString(), earlier_secrets: kept };
  },
);

const webhooksAtOnce = 5;

/**
 * Encrypts the signing secrets of a workspace's webhooks again, with the current service secret, so that earlier service
 * secrets are needed no more. Returns the number of webhooks.
 */
export const resealWebhooks = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.reseal', needs: 'platform' },
  async (context: Context): Promise<number> => {
    const { workspaceId, now } = context;
    const webhooks = await listWebhooks(workspaceId);
    await inParallel(webhooksAtOnce, webhooks, (webhook) => reseal(webhook, now));
    return webhooks.length;
  },
);

/**
 * A webhook whose signing secret is rotated meanwhile is read again, since its previous secret must be re-encrypted
 * too.
 */
function reseal(position: WebhookPosition, now: Date): Promise<void> {
  return untilSettled(async () => {
    const webhook = await getWebhook(position);
    if (!webhook || (await putSealedAnew(webhook, await resealedSecrets(webhook, now)))) return;
    return overtaken;
  });
}

/** Previous secrets that no longer sign are dropped: their service secret may be gone. */
async function resealedSecrets(webhook: Webhook, now: Date) {
  const resealed = async (sealed: string) => sealWebhookSecret(await openWebhookSecret(sealed, webhook), webhook);
  const valid = webhook.previousSecrets.filter(({ until }) => until > now);
  const [secret, ...previous] = await Promise.all([
    resealed(webhook.secret),
    ...valid.map(({ sealed }) => resealed(sealed)),
  ]);
  return { secret, previousSecrets: valid.map(({ until }, index) => ({ sealed: previous[index] ?? '', until })) };
}
