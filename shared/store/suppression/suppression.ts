import { noPreferences, type Preferences } from '../../domain/person/preferences.ts';
import type { Suppression } from '../../domain/person/suppression.ts';
import { preferencesOf } from '../person/preferencesItem.ts';
import { addressItemKey, suppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet } from '../table/table.ts';
import { blockReader } from './blocks.ts';
import { suppressionOf } from './suppressionItem.ts';

/** What stands against writing to an address, and what its owner has said of the mail that they get. */
export interface Standing {
  readonly email: string;
  readonly suppressions: readonly Suppression[];
  readonly preferences: Preferences;
}

/** Every suppression of these addresses (canonical form), in the workspace and on the platform. */
export const findSuppressions = async (workspaceId: string, addresses: readonly string[]): Promise<Suppression[]> =>
  (await findStandings(workspaceId, addresses)).flatMap(({ suppressions }) => suppressions);

/** How these addresses (canonical form) stand, in their order, strongly consistent and in one round trip. */
export async function findStandings(workspaceId: string, addresses: readonly string[]): Promise<Standing[]> {
  const { keysOf, blocksOf } = await blockReader();
  const ownKeys = addresses.map((address) => addressItemKey(workspaceId, address));
  const items = await batchGet([...ownKeys, ...addresses.flatMap(keysOf)], { consistent: true });
  const found = new Map(items.map((item) => [item.pk, item]));
  const blocks = blocksOf(workspaceId, addresses, items);
  return addresses.map((email, index) => {
    const own = found.get(ownKeys[index]?.pk);
    const { erased, platform } = blocks.get(email) ?? { erased: null, platform: null };
    const kept = erased && { email, reason: erased.reason, scope: 'organization' as const, createdAt: erased.at };
    const suppressions = [(own && suppressionOf(own)) ?? kept, platform].filter((one) => one !== null);
    return { email, suppressions, preferences: own ? preferencesOf(own) : noPreferences };
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
