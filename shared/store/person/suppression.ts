import * as z from 'zod';
import { type Suppression, suppressionReasons } from '../../domain/person/suppression.ts';
import { addressItemKey, platformAddressKey, suppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, type Item } from '../table/table.ts';

const part = z.object({
  email: z.string(),
  suppression_reason: z.enum(suppressionReasons),
  suppressed_at: z.string(),
});

/** The suppression of an address item, null when the item is there for another reason. */
export function suppressionOf(item: Item): Suppression | null {
  if (!item.suppression_reason) return null;
  const parsed = part.parse(item);
  const scope = String(item.pk).startsWith('PLATFORM#') ? 'platform' : 'organization';
  return { email: parsed.email, reason: parsed.suppression_reason, scope, createdAt: parsed.suppressed_at };
}

/** Every suppression of these addresses (canonical form), in the workspace and on the platform, in one round trip. */
export async function findSuppressions(workspaceId: string, addresses: readonly string[]): Promise<Suppression[]> {
  const keys = addresses.flatMap((address) => [addressItemKey(workspaceId, address), platformAddressKey(address)]);
  const items = await batchGet(keys, { consistent: true });
  return items.map(suppressionOf).filter((found) => found !== null);
}

/** The workspace's own list, newest first: one query of keys and one batch read, whatever its length. */
export async function pageOfSuppressions(
  workspaceId: string,
  wanted: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ entries: Suppression[]; next: string | null }> {
  const { positions, next } = await newestPositions('suppressed', suppressedPartition(workspaceId), wanted);
  const keys = positions.map((position) => addressItemKey(workspaceId, addressOfPosition(position)));
  const items = new Map((await batchGet(keys, { consistent: false })).map((item) => [item.pk, suppressionOf(item)]));
  return { entries: keys.flatMap(({ pk }) => items.get(pk) ?? []), next };
}
