import * as z from 'zod';
import { type CountedMessage, forgottenAt } from '../../domain/sending/frequencyCap.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { batchGet, readTogether } from '../table/batches.ts';
import type { FieldRules } from '../table/fieldRules.ts';
import { capKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { upsertItem } from '../table/write.ts';

const record = z.object({
  /** Absent when the only message was not sent after all. The times are ISO 8601 UTC. */
  messages: z.array(z.object({ id: z.string(), at: z.string() })).optional(),
  expires_at: z.number(),
});

/** The last messages of automations and campaigns to a person, where the workspace has a frequency cap. */
export type CapRecord = z.input<typeof record>;

export const capRules = {
  messages: { erasure: 'remove', inExport: 'whole', shown: 'never' },
} as const satisfies FieldRules<CapRecord>;

const countedOf = (item: Item | null | undefined): CountedMessage[] =>
  item ? (record.parse(item).messages ?? []).map(({ id, at }) => ({ id, at: Date.parse(at) })) : [];

const storedForm = (counted: readonly CountedMessage[]) =>
  counted.length === 0 ? undefined : counted.map(({ id, at }) => ({ id, at: new Date(at).toISOString() }));

/** The counted messages of a person (canonical form), strongly consistent. Concurrent requests share a read. */
export async function getCounted(workspaceId: string, email: string): Promise<readonly CountedMessage[]> {
  const [item] = await readTogether([capKey(workspaceId, email)]);
  return countedOf(item);
}

/** Those of several people, strongly consistent, in the order of their addresses. */
export async function readCounted(
  workspaceId: string,
  emails: readonly string[],
): Promise<readonly (readonly CountedMessage[])[]> {
  const keys = emails.map((email) => capKey(workspaceId, email));
  const found = new Map((await batchGet(keys, { consistent: true })).map((item) => [item.pk, item]));
  return keys.map(({ pk }) => countedOf(found.get(pk)));
}

/** Replaces the counted messages of a person; false when they have changed since they were read. */
export async function replaceCounted(
  workspaceId: string,
  email: string,
  before: readonly CountedMessage[],
  after: readonly CountedMessage[],
): Promise<boolean> {
  const changed = await upsertItem<CapRecord>(capKey(workspaceId, email), {
    ...(after.length > 0
      ? { set: { messages: storedForm(after), expires_at: epochSeconds(forgottenAt(after)) } }
      : { remove: ['messages'] }),
    expect: { messages: storedForm(before) },
  });
  return changed !== null;
}
