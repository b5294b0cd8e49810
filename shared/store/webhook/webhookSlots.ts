import type { WebhookPosition } from '../../domain/webhook/webhook.ts';
import type { Change } from '../table/expression.ts';
import { slotsKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { changeItem, upsertAnswering } from '../table/write.ts';

/** One of the limited concurrent attempts at a slow endpoint. Given back, or free again at `until`. */
interface Slot extends WebhookPosition {
  readonly name: SlotName;
  readonly until: string;
}

type SlotName = `slot_${number}`;

/** By slot, until when it is taken, in ISO 8601. */
type SlotsRecord = { readonly [name: SlotName]: string };

/**
 * Takes one of `count` slots of an endpoint until a time; null when all are taken. After a crash the slot is free again
 * at that time: a counter would never be corrected.
 */
export async function takeSlot(
  { workspaceId, webhookId }: WebhookPosition,
  count: number,
  now: Date,
  until: Date,
): Promise<Slot | null> {
  const names = Array.from({ length: count }, (_, index): SlotName => `slot_${index}`);
  let candidates = [names[Math.floor(Math.random() * count)] ?? 'slot_0'];
  for (let [name] = candidates; name; [name] = candidates) {
    const slot = { workspaceId, webhookId, name, until: until.toISOString() };
    const taken = await take(slot, now);
    if (taken === null) return slot;
    candidates = shuffled(names.filter((other) => other !== name && isFree(taken[other], now)));
  }
  return null;
}

/** Null when the slot was taken; else all taken slots with their ends. */
async function take({ workspaceId, webhookId, name, until }: Slot, now: Date): Promise<Item | null> {
  const change: Change<SlotsRecord> = {
    set: [[name, until]],
    if: [
      {
        any: [
          [name, 'absent'],
          [name, '<', now.toISOString()],
        ],
      },
    ],
  };
  const key = slotsKey(workspaceId, webhookId);
  const { isMade, item } = await upsertAnswering<SlotsRecord>(key, change, 'UPDATED_NEW');
  return isMade ? null : item;
}

const isFree = (until: unknown, now: Date): boolean => until === undefined || String(until) < now.toISOString();

function shuffled(names: readonly SlotName[]): SlotName[] {
  return names
    .map((name) => ({ name, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** Gives a slot back, unless it has ended and another worker has it. */
export async function giveBackSlot({ workspaceId, webhookId, name, until }: Slot): Promise<void> {
  await changeItem<SlotsRecord>(slotsKey(workspaceId, webhookId), { remove: [name], expect: [[name, until]] });
}
