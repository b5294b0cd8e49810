import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { updateWebhookRoute } from '../../contract/routes/webhooks.ts';
import type { UpdateWebhookRequest } from '../../contract/schemas/webhook.ts';
import { addSeconds, secondsInDay } from '../../platform/clock.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import type { Change } from '../../store/table/change.ts';
import { webhookKey } from '../../store/table/keys.ts';
import { changeWebhook, type Webhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { checkHost } from './checkHost.ts';
import { findWebhook } from './find.ts';
import { webhookRecord } from './record.ts';
import { createWebhookSecret, sealWebhookSecret } from './webhookSecret.ts';

/** Changes what is given. Enabling sends what was held back; the queue does it, however much there is. */
export async function updateWebhook(
  { workspaceId, now }: Context,
  { id, ...asked }: Input<typeof updateWebhookRoute>,
): Promise<Output<typeof updateWebhookRoute>> {
  if (asked.url !== undefined) await checkHost(asked.url);
  const before = await findWebhook(workspaceId, id);
  const change = await changeOf(before, asked, now);
  const after = change ? await changeWebhook(workspaceId, id, change) : before;
  if (!after) throw await lostTo(before);
  if (asked.enabled) await askForRelease({ workspace_id: workspaceId, webhook_id: id });
  return webhookRecord(after);
}

/** Whoever writes an event may have read the webhook before it was enabled: what that held back is found a minute later. */
const secondLookSeconds = 60;

async function askForRelease(position: { workspace_id: string; webhook_id: string }): Promise<void> {
  const message = { kind: 'release' as const, ...position };
  await Promise.all([sendWebhookMessages([message]), sendWebhookMessages([message], secondLookSeconds)]);
}

/** Null when nothing is given to be changed. */
async function changeOf(
  webhook: Webhook,
  { rotate_secret, ...fields }: UpdateWebhookRequest,
  now: Date,
): Promise<Change<Webhook> | null> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (!rotate_secret && Object.keys(given).length === 0) return null;
  return {
    set: { ...given, updated_at: now.toISOString(), ...(rotate_secret && (await rotation(webhook, now))) },
    // Whoever enables it gives it another chance, and whoever disables it has a reason of their own.
    remove: fields.enabled === undefined ? [] : ['disabled_reason', 'failing_since'],
    // Two rotations at once would lose the secret that receivers hold.
    expect: rotate_secret ? { secret: webhook.secret } : {},
  };
}

async function rotation(webhook: Webhook, now: Date): Promise<Partial<Webhook>> {
  const key = webhookKey(webhook.workspace_id, webhook.webhook_id);
  return {
    secret: await sealWebhookSecret(createWebhookSecret(), key),
    previous_secret: webhook.secret,
    previous_secret_until: addSeconds(now, secondsInDay).toISOString(),
  };
}

/** It was deleted meanwhile, or its secret was rotated by another call. */
async function lostTo({ workspace_id, webhook_id }: Webhook): Promise<ServiceError> {
  await findWebhook(workspace_id, webhook_id);
  return new ServiceError('conflict', {
    text: {
      en: 'Another call rotated the secret of this subscription at the same moment; read it again.',
      fr: 'Un autre appel a renouvelé le secret de cet abonnement au même instant ; relisez-le.',
    },
    details: { status: 'rotated' },
  });
}
