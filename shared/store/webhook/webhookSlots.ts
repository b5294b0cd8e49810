import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import { UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { slotsKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** A place among the attempts that may be under way at a slow endpoint at once. Given back, or over at `until`. */
interface Slot extends WebhookPosition {
  readonly name: string;
  readonly until: string;
}

/**
 * Takes one of `count` slots of an endpoint until a moment; null when all are taken. A holder that dies gives its slot
 * back by the time that it wrote: a counter would leak.
 */
export async function takeSlot(
  { workspaceId, webhookId }: WebhookPosition,
  count: number,
  now: Date,
  until: Date,
): Promise<Slot | null> {
  const names = Array.from({ length: count }, (_, index) => `slot_${index}`);
  let candidates = [names[Math.floor(Math.random() * count)] ?? 'slot_0'];
  for (let [name] = candidates; name; [name] = candidates) {
    const slot = { workspaceId, webhookId, name, until: until.toISOString() };
    const taken = await take(slot, now);
    if (taken === null) return slot;
    candidates = shuffled(names.filter((other) => other !== name && isFree(taken[other], now)));
  }
  return null;
}

/** Null when the slot is ours; else all that are taken, with their ends. */
async function take({ workspaceId, webhookId, name, until }: Slot, now: Date): Promise<Item | null> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: slotsKey(workspaceId, webhookId),
        UpdateExpression: 'SET #slot = :until',
        ConditionExpression: 'attribute_not_exists(#slot) OR #slot < :now',
        ExpressionAttributeNames: { '#slot': name },
        ExpressionAttributeValues: { ':until': until, ':now': now.toISOString() },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item ?? {};
    throw error;
  }
}

const isFree = (until: unknown, now: Date): boolean => until === undefined || String(until) < now.toISOString();

function shuffled(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** Gives a slot back; one that has run out and is another's now is left alone. */
export async function giveBackSlot({ workspaceId, webhookId, name, until }: Slot): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: slotsKey(workspaceId, webhookId),
        UpdateExpression: 'REMOVE #slot',
        ConditionExpression: '#slot = :until',
        ExpressionAttributeNames: { '#slot': name },
        ExpressionAttributeValues: { ':until': until },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
