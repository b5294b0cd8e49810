import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { updateWebhookRoute } from '../../contract/routes/webhooks.ts';
import { maxSigningSecrets, rotated } from '../../domain/webhook/secretRotation.ts';
import type { Webhook, WebhookPosition, WebhookSettings } from '../../domain/webhook/webhook.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { createWebhookSecret, sealWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import { updateWebhook as changeSettings, rotateSecret } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { checkHost } from './checkHost.ts';
import { findWebhook } from './find.ts';
import { shownWebhook } from './shown.ts';

/** Changes what is given. Enabling sends what was held back; the queue does it, however much there is. */
export const updateWebhook = operatorVerb(
  { action: 'webhook.update', needs: 'own', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId, now }: Context,
    { id, rotate_secret, ...settings }: Input<typeof updateWebhookRoute>,
  ): Promise<Output<typeof updateWebhookRoute>> => {
    if (settings.url !== undefined) await checkHost(settings.url);
    const before = await findWebhook(workspaceId, id);
    const isGiven = Object.values(settings).some((value) => value !== undefined);
    const after = rotate_secret
      ? await rotate(before, settings, now)
      : isGiven
        ? await changeSettings(before, settings, now)
        : before;
    if (!after) throw new ServiceError('not_found');
    if (settings.enabled) await askForRelease(before);
    return shownWebhook(after);
  },
);

/** Whoever writes an event may have read the webhook before it was enabled: what that held back is found a minute later. */
const secondLookSeconds = 60;

async function askForRelease({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  const message = { kind: 'release' as const, workspaceId, webhookId };
  await Promise.all([sendWebhookMessages([message]), sendWebhookMessages([message], secondLookSeconds)]);
}

async function rotate(webhook: Webhook, settings: Partial<WebhookSettings>, now: Date): Promise<Webhook> {
  const secrets = rotated(webhook, await sealWebhookSecret(createWebhookSecret(), webhook), now);
  if (secrets instanceof Date) throw tooManyRotations(secrets, now);
  const after = await rotateSecret(webhook, secrets, settings, now);
  if (after) return after;
  await findWebhook(webhook.workspaceId, webhook.webhookId);
  throw new ServiceError('conflict', {
    text: {
      en: 'Another call rotated the secret of this subscription at the same moment; read it again.',
      fr: 'Un autre appel a renouvelé le secret de cet abonnement au même instant ; relisez-le.',
    },
    details: { status: 'rotated' },
  });
}

const tooManyRotations = (roomAt: Date, now: Date): ServiceError =>
  new ServiceError('conflict', {
    text: {
      en: `${maxSigningSecrets} secrets of this subscription are valid, the most at once: each stays so for 24 hours.`,
      fr: `${maxSigningSecrets} secrets de cet abonnement sont valides, le maximum : chacun le reste 24 heures.`,
    },
    details: { status: 'too_many_rotations' },
    retryAfterSeconds: Math.ceil((roomAt.getTime() - now.getTime()) / 1000),
  });
