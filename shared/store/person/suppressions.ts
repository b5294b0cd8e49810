import * as z from 'zod';
import { canonicalAddress } from '../../domain/address.ts';
import { noPreferences, type Preferences, type Suppression, trackedActions } from '../../domain/person/person.ts';
import { blockReader, suppressionOf } from '../suppression/platformSuppression.ts';
import { batchGet } from '../table/batches.ts';
import { addressItemKey, suppressedPartition } from '../table/keys.ts';
import { type Item, idOfPosition, isPosition, newestPositions, positionAt } from '../table/table.ts';

const trackingChoice = z.enum(['granted', 'denied']);

/** Of the preferences in an address item. */
export const preferencesRecord = z.object({
  /** Both are refused, unless one of `opens` and `clicks` says more. Also true for one of them: 1.0.0 knows only this. */
  untracked: z.boolean().default(false),
  opens: trackingChoice.optional(),
  clicks: trackingChoice.optional(),
  left_tags: z.array(z.string()).default([]),
  proofs: z
    .array(
      z.object({
        of: z.array(z.enum(trackedActions)),
        at: z.string(),
        source: z.string(),
        text: z.string(),
        by: z.string().optional(),
        recorded_at: z.string(),
      }),
    )
    .optional(),
});

/** The preferences of an address item; most items have none. */
export function preferencesOf({ preferences: stored }: Item): Preferences {
  if (stored === undefined) return noPreferences;
  const { untracked, opens, clicks, left_tags, proofs } = preferencesRecord.parse(stored);
  const other = untracked && opens === undefined && clicks === undefined ? 'denied' : 'unknown';
  return {
    opens: opens ?? other,
    clicks: clicks ?? other,
    leftTags: left_tags,
    ...(proofs && { proofs: proofs.map(({ recorded_at, ...proof }) => ({ ...proof, recordedAt: recorded_at })) }),
  };
}

/** As `preferencesOf` reads them. */
export function storedPreferences({ opens, clicks, leftTags, proofs }: Preferences): z.input<typeof preferencesRecord> {
  const isOneFlag = opens === clicks && opens !== 'granted';
  return {
    untracked: opens === 'denied' || clicks === 'denied',
    ...(!isOneFlag && opens !== 'unknown' && { opens }),
    ...(!isOneFlag && clicks !== 'unknown' && { clicks }),
    left_tags: [...leftTags],
    ...(proofs && {
      proofs: proofs.map(({ recordedAt, of, ...proof }) => ({ ...proof, of: [...of], recorded_at: recordedAt })),
    }),
  };
}

/** The suppressions of an address, and its owner's preferences. */
export interface RecipientState {
  readonly email: string;
  readonly suppressions: readonly Suppression[];
  readonly preferences: Preferences;
}

/** Every suppression of these addresses (canonical form), in the workspace and on the platform. */
export const findSuppressions = async (workspaceId: string, addresses: readonly string[]): Promise<Suppression[]> =>
  (await findRecipientStates(workspaceId, addresses)).flatMap(({ suppressions }) => suppressions);

/** The state of these addresses (canonical form), in order, strongly consistent and in one round trip. */
export async function findRecipientStates(
  workspaceId: string,
  addresses: readonly string[],
): Promise<RecipientState[]> {
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

/** The position in the workspace's list that `after` gives, by itself or as an address; null if it is not on the list. */
export async function suppressionPosition(workspaceId: string, after: string): Promise<string | null> {
  if (isPosition(after)) return after;
  const email = canonicalAddress(after);
  const own = email && (await findSuppressions(workspaceId, [email])).find(({ scope }) => scope === 'organization');
  return own ? positionAt(own.createdAt, own.email) : null;
}

/** The workspace's own list, newest first: one query of keys and one batch read, whatever its length. */
export async function pageOfSuppressions(
  workspaceId: string,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ entries: Suppression[]; next: string | null }> {
  const { positions, next } = await newestPositions('suppressed', suppressedPartition(workspaceId), page);
  const keys = positions.map((position) => addressItemKey(workspaceId, idOfPosition(position)));
  const items = new Map((await batchGet(keys, { consistent: false })).map((item) => [item.pk, suppressionOf(item)]));
  return { entries: keys.flatMap(({ pk }) => items.get(pk) ?? []), next };
}
