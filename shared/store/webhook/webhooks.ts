import * as z from 'zod';
import type { Cause } from '../../domain/automation/cause.ts';
import { shardOf } from '../../domain/encoding.ts';
import {
  eventTypes,
  typesOfSends,
  type Webhook,
  type WebhookEventType,
  type WebhookPosition,
  type WebhookSecrets,
  type WebhookSettings,
} from '../../domain/webhook/webhook.ts';
import { listenedIn } from '../automation/listeners.ts';
import type { Change } from '../table/expression.ts';
import {
  dueDeliveryPartition,
  dueDeliveryShards,
  erasedMarkKey,
  erasureKey,
  type Indexed,
  listenedKey,
  slotsKey,
  webhookCountKey,
  webhookKey,
  webhooksPartition,
} from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, deleteItem, deletePart, oneLess, oneMore, putItem, putPart } from '../table/write.ts';
import { noteListened } from '../workspace/workspaces.ts';

const moment = z.string().transform((text) => new Date(text));

/** Types that only a later release knows are ignored here; they stay in the item. */
const events = z
  .array(z.string())
  .transform((types) =>
    types.filter((type): type is WebhookEventType => (eventTypes as readonly string[]).includes(type)),
  );

const record = z.object({
  workspace_id: z.string(),
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  events,
  enabled: z.boolean(),
  /** Encrypted: see webhookSecret.ts. */
  secret: z.string(),
  /** The secret that the latest rotation replaced, and earlier ones that still sign. */
  previous_secret: z.string().optional(),
  previous_secret_until: moment.optional(),
  earlier_secrets: z.array(z.object({ secret: z.string(), until: moment })).default([]),
  disabled_reason: z.enum(['failing']).optional().catch(undefined),
  failing_since: moment.optional(),
  slow_until: moment.optional(),
  created_at: moment,
  updated_at: moment,
});

type WebhookRecord = Omit<z.input<typeof record>, 'disabled_reason'> & { readonly disabled_reason?: 'failing' };

export function webhookOf(item: Item): Webhook {
  const read = record.parse(item);
  const { previous_secret: sealed, previous_secret_until: until } = read;
  const earlier = read.earlier_secrets.map(({ secret, until }) => ({ sealed: secret, until }));
  return {
    workspaceId: read.workspace_id,
    webhookId: read.webhook_id,
    name: read.name,
    url: read.url,
    events: read.events,
    enabled: read.enabled,
    secret: read.secret,
    previousSecrets: sealed !== undefined && until ? [{ sealed, until }, ...earlier] : earlier,
    disabledReason: read.disabled_reason ?? null,
    failingSince: read.failing_since ?? null,
    slowUntil: read.slow_until ?? null,
    createdAt: read.created_at,
    updatedAt: read.updated_at,
  };
}

const newWebhookRecord = (webhook: Webhook): WebhookRecord => ({
  workspace_id: webhook.workspaceId,
  webhook_id: webhook.webhookId,
  ...{ name: webhook.name, url: webhook.url, events: [...webhook.events], enabled: webhook.enabled },
  secret: webhook.secret,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
});

/** The settings that are given. */
const settingAttributes = ({ name, url, events, enabled }: Partial<WebhookSettings>) => ({
  ...{ name, url, enabled },
  events: events && [...events],
});

/** The change that stores these secrets. */
function secretChange({ secret, previousSecrets }: WebhookSecrets) {
  const [newest, ...others] = previousSecrets;
  const earlier_secrets = others.map(({ sealed, until }) => ({ secret: sealed, until: until.toISOString() }));
  if (!newest)
    return { set: { secret, earlier_secrets }, remove: ['previous_secret', 'previous_secret_until'] as const };
  const previous = { previous_secret: newest.sealed, previous_secret_until: newest.until.toISOString() };
  return { set: { secret, ...previous, earlier_secrets }, remove: [] };
}

const keyOf = ({ workspaceId, webhookId }: WebhookPosition) => webhookKey(workspaceId, webhookId);

/** Before the webhook is written: a send that finds a type noted reads the webhooks, or lets the feedback do so. */
async function noteAsked(workspaceId: string, asked: readonly WebhookEventType[] = []): Promise<void> {
  const types = typesOfSends.filter((type) => asked.includes(type));
  if (types.length > 0) await noteListened(workspaceId, types);
}

/** Stores a new webhook; false when the workspace has `limit` of them, also when calls compete for the last one. */
export async function addWebhook(webhook: Webhook, limit: number): Promise<boolean> {
  await noteAsked(webhook.workspaceId, webhook.events);
  const count = oneMore(webhookCountKey(webhook.workspaceId), 'webhooks', limit);
  const put = putPart<WebhookRecord>(keyOf(webhook), newWebhookRecord(webhook), { if: [['pk', 'absent']] });
  return (await transact([count, put])) === null;
}

/** One webhook, strongly consistent. Null when there is none. */
export async function getWebhook(position: WebhookPosition): Promise<Webhook | null> {
  const item = await getItem(keyOf(position));
  return item && webhookOf(item);
}

/** The webhooks of a workspace, what its automations listen to, and whether events must leave out erased people. */
export interface Listeners {
  readonly webhooks: readonly Webhook[];
  readonly listened: ReadonlySet<Cause>;
  /** True when the workspace has erased a person: then each person of an event is looked up. */
  readonly hasErased: boolean;
}

/** One strongly consistent query, so that no event misses a new webhook or automation. */
export async function readListeners(workspaceId: string): Promise<Listeners> {
  const [mark, automations] = [erasedMarkKey(workspaceId), listenedKey(workspaceId)];
  const items = await queryAll({
    ...{ partition: webhooksPartition(workspaceId), sort: { from: automations.sk, to: 'whk_~' } },
    ...{ order: 'descending', consistency: 'strong' },
  });
  return {
    webhooks: items.filter(({ sk }) => String(sk).startsWith('whk_')).map(webhookOf),
    listened: listenedIn(items.find(({ sk }) => sk === automations.sk)),
    hasErased: items.some(({ sk }) => sk === mark.sk),
  };
}

/** Every webhook of a workspace, newest first. */
export async function listWebhooks(workspaceId: string): Promise<readonly Webhook[]> {
  return (await readListeners(workspaceId)).webhooks;
}

/** Records, for good, that the workspace has erased a person. */
export async function markErased(workspaceId: string, at: Date): Promise<void> {
  await putItem<{ readonly since: string }>(erasedMarkKey(workspaceId), { since: at.toISOString() });
}

/** Changes the settings that are given; null when the webhook was deleted. */
export async function updateWebhook(
  position: WebhookPosition,
  settings: Partial<WebhookSettings>,
  at: Date,
): Promise<Webhook | null> {
  await noteAsked(position.workspaceId, settings.events);
  return change(position, updateOf(settings, at));
}

/**
 * Replaces the secrets. Null when the webhook was deleted, or its secret has changed since: of two concurrent rotations
 * one would lose a secret.
 */
export async function rotateSecret(
  webhook: Webhook,
  secrets: WebhookSecrets,
  settings: Partial<WebhookSettings>,
  at: Date,
): Promise<Webhook | null> {
  await noteAsked(webhook.workspaceId, settings.events);
  const own = updateOf(settings, at);
  const replaced = secretChange(secrets);
  return change(webhook, {
    set: { ...own.set, ...replaced.set },
    remove: [...own.remove, ...replaced.remove],
    expect: { secret: webhook.secret },
  });
}

/** Enabling resets the failures; disabling by an operator replaces the service's own reason. */
function updateOf(settings: Partial<WebhookSettings>, at: Date) {
  return {
    set: { ...settingAttributes(settings), updated_at: at.toISOString() },
    remove: settings.enabled === undefined ? [] : (['disabled_reason', 'failing_since'] as const),
  };
}

/**
 * Replaces the secrets by the same ones under a new key; false when the secret has changed since, or the webhook was
 * deleted.
 */
export async function putSealedAnew(webhook: Webhook, secrets: WebhookSecrets): Promise<boolean> {
  return (await change(webhook, { ...secretChange(secrets), expect: { secret: webhook.secret } })) !== null;
}

/** Records since when it fails; the first time stays. */
export async function markFailing(webhook: Webhook, since: Date): Promise<void> {
  await change(webhook, { set: { failing_since: since.toISOString() }, expect: { failing_since: undefined } });
}

/** Removes that time, if it is still the one that was read. */
export async function clearFailing(webhook: Webhook): Promise<void> {
  const expect = { failing_since: webhook.failingSince?.toISOString() };
  await change(webhook, { remove: ['failing_since'], expect });
}

/**
 * Disables a webhook whose endpoint has failed since the recorded time; false when it was enabled, cleared or deleted.
 */
export async function disableAsFailing(webhook: Webhook, at: Date): Promise<boolean> {
  const disabled = await change(webhook, {
    set: { enabled: false, disabled_reason: 'failing', updated_at: at.toISOString() },
    expect: { enabled: true, failing_since: webhook.failingSince?.toISOString() },
  });
  return disabled !== null;
}

/** Records until when it counts as slow, unless another worker did meanwhile. */
export async function markSlow(webhook: Webhook, until: Date): Promise<void> {
  const expect = { slow_until: webhook.slowUntil?.toISOString() };
  await change(webhook, { set: { slow_until: until.toISOString() }, expect });
}

/** Deletes a webhook and records, in the same transaction, that its log must be deleted. False when there is none. */
export async function deleteWebhook(position: WebhookPosition, now: Date): Promise<boolean> {
  const parts = [
    oneLess(webhookCountKey(position.workspaceId), 'webhooks'),
    deletePart(keyOf(position), { if: [['pk', 'exists']] }),
    erasurePart(position, now),
  ];
  return (await transact(parts)) === null;
}

async function change(position: WebhookPosition, changes: Change<WebhookRecord>): Promise<Webhook | null> {
  const item = await changeItem<WebhookRecord>(keyOf(position), changes);
  return item && webhookOf(item);
}

/** The record that a deleted webhook's log must be deleted. The sweeper finds it when the message was lost. */
const erasurePart = ({ workspaceId, webhookId }: WebhookPosition, now: Date): TransactionPart =>
  putPart<Indexed<'due'>>(erasureKey(workspaceId, webhookId), {
    due_pk: dueDeliveryPartition('live', shardOf(webhookId, dueDeliveryShards)),
    due_sk: now.toISOString(),
  });

/** Deletes what is stored beside a deleted webhook's log; the record of the erasure last. */
export async function closeErasure({ workspaceId, webhookId }: WebhookPosition): Promise<void> {
  await deleteItem(slotsKey(workspaceId, webhookId));
  await deleteItem(erasureKey(workspaceId, webhookId));
}
