import type * as z from 'zod';
import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { DeepReadonly, Input, Output, Result } from '../../contract/route.ts';
import type {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  rotateWebhookRoute,
  updateWebhookRoute,
} from '../../contract/routes/webhooks.ts';
import { maxNameCharacters, type webhook as webhookSchema } from '../../contract/schemas/webhook.ts';
import { createId, isId } from '../../domain/identifier.ts';
import { maxSigningSecrets, rotatedSecrets } from '../../domain/webhook/signature.ts';
import { newWebhook, type Webhook, type WebhookPosition, type WebhookSettings } from '../../domain/webhook/webhook.ts';
import { webhookUrlProblemTexts } from '../../domain/webhook/webhookUrl.ts';
import type { Text } from '../../language/text.ts';
import { leadsToForbiddenAddress } from '../../outbound/hostCheck.ts';
import { config } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import { sendWebhookMessages } from '../../queue/webhookDelivery.ts';
import { createWebhookSecret, openWebhookSecret, sealWebhookSecret } from '../../store/webhook/webhookSecret.ts';
import {
  addWebhook,
  updateWebhook as changeSettings,
  getWebhook as loadWebhook,
  listWebhooks as loadWebhooks,
  deleteWebhook as removeWebhook,
  rotateSecret,
} from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { operatorVerb, requireRole } from '../operatorVerb.ts';

const maxWebhooks = 20;

/** A new subscription. The result has its signing secret. */
export const createWebhook = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.create', needs: 'own', subject: ({ url }) => new URL(url).host, byKeys: 'unaudited' },
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

/** Newest first. All webhooks of the workspace are read, as there are 20 at most. */
export async function listWebhooks(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listWebhooksRoute>,
): Promise<Result<typeof listWebhooksRoute>> {
  const all = await loadWebhooks(workspaceId);
  const rest = after === undefined ? all : all.filter(({ webhookId }) => webhookId < after);
  const entries = rest.slice(0, limit);
  return { entries: entries.map(shownWebhook), next: rest.length > limit ? (entries.at(-1)?.webhookId ?? null) : null };
}

/** With its signing secret, so operators need the role of an owner. */
export async function getWebhook(
  context: Context,
  { id }: Input<typeof getWebhookRoute>,
): Promise<Output<typeof getWebhookRoute>> {
  requireRole(context, 'own');
  return shownWebhookWithSecret(await findWebhook(context.workspaceId, id));
}

/** Changes the settings that are given. After enabling, the queue sends what was held back. */
export const updateWebhook = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.update', needs: 'own', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    { id, rotate_secret, ...settings }: Input<typeof updateWebhookRoute>,
  ): Promise<Output<typeof updateWebhookRoute>> => {
    if (settings.url !== undefined) await checkHost(settings.url);
    const before = await findWebhook(workspaceId, id);
    const hasSettings = Object.values(settings).some((value) => value !== undefined);
    const after = rotate_secret
      ? await rotate(before, settings, now)
      : hasSettings
        ? await changeSettings(before, settings, now)
        : before;
    if (!after) throw notFound('webhook');
    if (settings.enabled) await queueRelease(before);
    return shownWebhook(after);
  },
);

/** A process may have read the webhook as disabled just before, and write an event later: the second message finds it. */
const secondReleaseSeconds = 60;

async function queueRelease({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  const message = { kind: 'release' as const, workspaceId, webhookId };
  await Promise.all([sendWebhookMessages([message]), sendWebhookMessages([message], secondReleaseSeconds)]);
}

/**
 * Replaces the secret; the one before signs too for 24 hours. The new one is returned sealed, since the answer of a call is
 * kept: see `openedRotation`.
 */
export const rotateWebhook = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.rotate', needs: 'own', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof rotateWebhookRoute>,
  ): Promise<Output<typeof rotateWebhookRoute>> => {
    const rotated = await rotate(await findWebhook(workspaceId, id), {}, now);
    return { ...shownWebhook(rotated), secret: rotated.secret };
  },
);

/** What `rotateWebhook` returned, with the secret as receivers need it. */
export const openedRotation = async (
  { workspaceId }: Pick<Context, 'workspaceId'>,
  { secret, ...webhook }: Output<typeof rotateWebhookRoute>,
): Promise<Output<typeof rotateWebhookRoute>> => ({
  ...webhook,
  secret: await openWebhookSecret(secret, { workspaceId, webhookId: webhook.id }),
});

async function rotate(webhook: Webhook, settings: Partial<WebhookSettings>, now: Date): Promise<Webhook> {
  const secrets = rotatedSecrets(webhook, await sealWebhookSecret(createWebhookSecret(), webhook), now);
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

const tooManyRotations = (possibleAt: Date, now: Date): ServiceError =>
  new ServiceError('conflict', {
    text: {
      en: `${maxSigningSecrets} secrets of this subscription are valid, the most at once: each stays so for 24 hours.`,
      fr: `${maxSigningSecrets} secrets de cet abonnement sont valides, le maximum : chacun le reste 24 heures.`,
    },
    details: { status: 'too_many_rotations' },
    retryAfterSeconds: Math.ceil((possibleAt.getTime() - now.getTime()) / 1000),
  });

/** Takes effect at once. A worker deletes the delivery log; the sweeper finds it if the message is lost. */
export const deleteWebhook = /* @__PURE__ */ operatorVerb(
  { action: 'webhook.delete', needs: 'own', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof deleteWebhookRoute>,
  ): Promise<Output<typeof deleteWebhookRoute>> => {
    const isDeleted = isId('whk', id) && (await removeWebhook({ workspaceId, webhookId: id }, now));
    if (!isDeleted) throw notFound('webhook');
    await sendWebhookMessages([{ kind: 'erase', workspaceId, webhookId: id }]).catch((error) =>
      logger.error('An erasure could not be queued; the sweeper will.', { error, webhook_id: id }),
    );
    return { object: 'webhook', id, deleted: true };
  },
);

/** Throws `not_found` for an id of another workspace. */
export async function findWebhook(workspaceId: string, webhookId: string): Promise<Webhook> {
  const webhook = isId('whk', webhookId) ? await loadWebhook({ workspaceId, webhookId }) : null;
  if (!webhook) throw notFound('webhook');
  return webhook;
}

/** Refuses a URL whose host resolves to a private address now. Each attempt checks again. */
async function checkHost(url: string): Promise<void> {
  if (!(await leadsToForbiddenAddress(url, config('ALLOW_LOOPBACK')))) return;
  throw new ValidationError([{ path: 'url', text: webhookUrlProblemTexts.url_host_not_public }]);
}

function shownWebhook(webhook: Webhook): DeepReadonly<z.output<typeof webhookSchema>> {
  return {
    id: webhook.webhookId,
    object: 'webhook',
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

export async function shownWebhookWithSecret(webhook: Webhook): Promise<Output<typeof getWebhookRoute>> {
  return { ...shownWebhook(webhook), secret: await openWebhookSecret(webhook.secret, webhook) };
}
