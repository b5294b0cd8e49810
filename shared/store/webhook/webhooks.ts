import type { Webhook, WebhookPosition, WebhookSecrets, WebhookSettings } from '../../domain/webhook/webhook.ts';
import { GetCommand, PutCommand } from '../dynamodb/commands.ts';
import { oneLess, oneMore } from '../table/bounded.ts';
import { type Change, changeItem } from '../table/change.ts';
import { erasedMarkKey, webhookCountKey, webhookKey, webhooksPartition } from '../table/keys.ts';
import { documents, queryAll, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { erasurePart } from './erasures.ts';
import { newWebhookItem, secretChange, settingAttributes, type WebhookAttributes, webhookOf } from './webhookItem.ts';

/** Writes a new webhook; false when the workspace has `limit` of them already, however many calls race for the last. */
export async function addWebhook(webhook: Webhook, limit: number): Promise<boolean> {
  const count = oneMore(webhookCountKey(webhook.workspaceId), 'webhooks', limit);
  const put = {
    Put: {
      TableName: tableName(),
      Item: newWebhookItem(webhook),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  return (await transact([count, put])) === null;
}

/** One webhook, strongly consistent. Null when there is none. */
export async function getWebhook({ workspaceId, webhookId }: WebhookPosition): Promise<Webhook | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: webhookKey(workspaceId, webhookId), ConsistentRead: true }),
  );
  return Item ? webhookOf(Item) : null;
}

/** Who hears of a workspace's events, and whether people are to be kept out of them. */
export interface Listeners {
  readonly webhooks: readonly Webhook[];
  /** True when the workspace has erased anybody: whoever writes an event asks about its person then. */
  readonly hasErased: boolean;
}

/** One query, strongly consistent, so that no event misses a new webhook; the mark of erasures lies among them. */
export async function readListeners(workspaceId: string): Promise<Listeners> {
  const mark = erasedMarkKey(workspaceId);
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :mark AND :last',
    ExpressionAttributeValues: { ':pk': webhooksPartition(workspaceId), ':mark': mark.sk, ':last': 'whk_~' },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  const webhooks = items.filter(({ sk }) => sk !== mark.sk).map(webhookOf);
  return { webhooks, hasErased: webhooks.length < items.length };
}

/** Every webhook of a workspace, newest first. */
export async function listWebhooks(workspaceId: string): Promise<readonly Webhook[]> {
  return (await readListeners(workspaceId)).webhooks;
}

/** Notes for good that the workspace has erased somebody. */
export async function markErased(workspaceId: string, at: Date): Promise<void> {
  const Item = { ...erasedMarkKey(workspaceId), since: at.toISOString() };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
}

/** Changes the settings that are given; null when the webhook is gone. */
export function updateWebhook(
  position: WebhookPosition,
  settings: Partial<WebhookSettings>,
  at: Date,
): Promise<Webhook | null> {
  return change(position, updateOf(settings, at));
}

/** The same with new secrets. Null also when its secret is another one by now: two at once would lose what receivers hold. */
export function rotateSecret(
  webhook: Webhook,
  secrets: WebhookSecrets,
  settings: Partial<WebhookSettings>,
  at: Date,
): Promise<Webhook | null> {
  const own = updateOf(settings, at);
  const replaced = secretChange(secrets);
  return change(webhook, {
    set: { ...own.set, ...replaced.set },
    remove: [...own.remove, ...replaced.remove],
    expect: { secret: webhook.secret },
  });
}

/** Whoever enables it gives it another chance, and whoever disables it has a reason of their own. */
function updateOf(settings: Partial<WebhookSettings>, at: Date) {
  return {
    set: { ...settingAttributes(settings), updated_at: at.toISOString() },
    remove: settings.enabled === undefined ? [] : (['disabled_reason', 'failing_since'] as const),
  };
}

/** Replaces the secrets by the same ones sealed anew; false when its secret is another one by now, or it is gone. */
export async function putSealedAnew(webhook: Webhook, secrets: WebhookSecrets): Promise<boolean> {
  return (await change(webhook, { ...secretChange(secrets), expect: { secret: webhook.secret } })) !== null;
}

/** Notes since when it fails; whoever noted it first is right. */
export async function markFailing(webhook: Webhook, since: Date): Promise<void> {
  await change(webhook, { set: { failing_since: since.toISOString() }, expect: { failing_since: undefined } });
}

/** Takes that note back, if it is still the one that was read. */
export async function clearFailing(webhook: Webhook): Promise<void> {
  const expect = { failing_since: webhook.failingSince?.toISOString() };
  await change(webhook, { remove: ['failing_since'], expect });
}

/** Disables a webhook whose endpoint has failed ever since that was noted; false when it was enabled, cleared or deleted. */
export async function disableAsFailing(webhook: Webhook, at: Date): Promise<boolean> {
  const disabled = await change(webhook, {
    set: { enabled: false, disabled_reason: 'failing', updated_at: at.toISOString() },
    expect: { enabled: true, failing_since: webhook.failingSince?.toISOString() },
  });
  return disabled !== null;
}

/** Notes until when it counts as slow, unless another worker did meanwhile. */
export async function markSlow(webhook: Webhook, until: Date): Promise<void> {
  const expect = { slow_until: webhook.slowUntil?.toISOString() };
  await change(webhook, { set: { slow_until: until.toISOString() }, expect });
}

/** Removes a webhook and notes, in the same transaction, that its log must follow. False when there is none. */
export async function deleteWebhook({ workspaceId, webhookId }: WebhookPosition, now: Date): Promise<boolean> {
  const remove = {
    Delete: {
      TableName: tableName(),
      Key: webhookKey(workspaceId, webhookId),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  const parts = [
    oneLess(webhookCountKey(workspaceId), 'webhooks'),
    remove,
    erasurePart({ workspaceId, webhookId }, now),
  ];
  return (await transact(parts)) === null;
}

async function change(
  { workspaceId, webhookId }: WebhookPosition,
  changes: Change<WebhookAttributes>,
): Promise<Webhook | null> {
  const item = await changeItem(webhookKey(workspaceId, webhookId), changes);
  return item && webhookOf(item);
}
