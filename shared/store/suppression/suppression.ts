import type { Suppression } from '../../domain/person/suppression.ts';
import { addressItemKey, suppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet } from '../table/table.ts';
import { blockReader } from './blocks.ts';
import { suppressionOf } from './suppressionItem.ts';

/** Every suppression of these addresses (canonical form), in the workspace and on the platform, in one round trip. */
export async function findSuppressions(workspaceId: string, addresses: readonly string[]): Promise<Suppression[]> {
  const { keysOf, blocksOf } = await blockReader();
  const ownKeys = addresses.map((address) => addressItemKey(workspaceId, address));
  const items = await batchGet([...ownKeys, ...addresses.flatMap(keysOf)], { consistent: true });
  const found = new Map(items.map((item) => [item.pk, item]));
  const blocks = blocksOf(workspaceId, addresses, items);
  return addresses.flatMap((email, index) => {
    const own = found.get(ownKeys[index]?.pk);
    const { erased, platform } = blocks.get(email) ?? { erased: null, platform: null };
    const kept = erased && { email, reason: erased.reason, scope: 'organization' as const, createdAt: erased.at };
    return [(own && suppressionOf(own)) ?? kept, platform].filter((one) => one !== null);
  });
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
