import * as z from 'zod';
import { type EventType, eventTypes } from '../../domain/webhook/eventType.ts';
import type { Webhook, WebhookSecrets, WebhookSettings } from '../../domain/webhook/webhook.ts';
import { webhookKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const moment = z.string().transform((text) => new Date(text));

/** Types that only a later release knows stay in the item and are no business of this one. */
const events = z
  .array(z.string())
  .transform((types) => types.filter((type): type is EventType => (eventTypes as readonly string[]).includes(type)));

const record = z.object({
  workspace_id: z.string(),
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  events,
  enabled: z.boolean(),
  /** Sealed: see webhookSecret.ts. */
  secret: z.string(),
  /** The newest secret that a rotation replaced, and those before it that sign as well. */
  previous_secret: z.string().optional(),
  previous_secret_until: moment.optional(),
  earlier_secrets: z.array(z.object({ secret: z.string(), until: moment })).default([]),
  disabled_reason: z.enum(['failing']).optional().catch(undefined),
  failing_since: moment.optional(),
  slow_until: moment.optional(),
  created_at: moment,
  updated_at: moment,
});

/** The attributes of a webhook's item. */
export type WebhookAttributes = Partial<Record<keyof z.input<typeof record>, unknown>>;

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

export function newWebhookItem(webhook: Webhook): Item {
  return {
    ...webhookKey(webhook.workspaceId, webhook.webhookId),
    workspace_id: webhook.workspaceId,
    webhook_id: webhook.webhookId,
    ...settingAttributes(webhook),
    secret: webhook.secret,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

/** The settings that are given; the others are left alone. */
export function settingAttributes({ name, url, events, enabled }: Partial<WebhookSettings>): WebhookAttributes {
  return Object.fromEntries(Object.entries({ name, url, events, enabled }).filter(([, value]) => value !== undefined));
}

/** The change that leaves a webhook with these secrets. */
export function secretChange({ secret, previousSecrets }: WebhookSecrets) {
  const [newest, ...others] = previousSecrets;
  const earlier_secrets = others.map(({ sealed, until }) => ({ secret: sealed, until: until.toISOString() }));
  if (!newest)
    return { set: { secret, earlier_secrets }, remove: ['previous_secret', 'previous_secret_until'] as const };
  const previous = { previous_secret: newest.sealed, previous_secret_until: newest.until.toISOString() };
  return { set: { secret, ...previous, earlier_secrets }, remove: [] };
}
