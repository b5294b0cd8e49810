import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { addressHash, aliasOf } from '../../domain/person/erased.ts';
import {
  type Person,
  type Suppression,
  type SuppressionReason,
  suppressionRank,
  suppressionReasons,
} from '../../domain/person/person.ts';
import { batchGet, readTogether } from '../table/batches.ts';
import {
  blockKey,
  type Indexed,
  type Key,
  platformAddressKey,
  platformSuppressedPartition,
  saltKey,
} from '../table/keys.ts';
import { getItem, type Item, idOfPosition, newestPositions, type TransactionPart, tableName } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changeItem, changePart, deleteItem, upsertItem } from '../table/write.ts';

/** Suppressions that are stored under the salted hash of an address, without the address. */
export interface BlockRecord {
  readonly platform?: { readonly reason: SuppressionReason; readonly at: string; readonly rank: number };
  /** True once a workspace has erased the person: the address must not be stored again. */
  readonly nameless?: true;
  /** By workspace: what remains of a person whom it has erased. */
  readonly [erased: `erased#${string}`]: { readonly reason: SuppressionReason; readonly at: string };
}

interface StoredBlock {
  readonly platform: Suppression | null;
  /** What remains of a person whom the workspace has erased. */
  readonly erased: NonNullable<Person['suppression']> | null;
}

const entry = z.object({ reason: z.enum(suppressionReasons), at: z.string() });

/** The keys to read for addresses (canonical form), and how to interpret the items: one item per address. */
export interface BlockReader {
  readonly keysOf: (address: string) => Key[];
  /** By address; other items among `items` are ignored. */
  readonly blocksOf: (
    workspaceId: string,
    addresses: readonly string[],
    items: readonly Item[],
  ) => Map<string, StoredBlock>;
}

export async function blockReader(): Promise<BlockReader> {
  const salt = await readSalt();
  const made = new Map<string, Key[]>();
  const makeKeys = (address: string): Key[] => (salt === null ? [] : [blockKey(addressHash(salt, address))]);
  const keysOf = (address: string): Key[] => {
    const keys = made.get(address) ?? makeKeys(address);
    made.set(address, keys);
    return keys;
  };
  const blocksOf = (workspaceId: string, addresses: readonly string[], items: readonly Item[]) => {
    const found = new Map(items.map((item): [string, Item] => [String(item.pk), item]));
    const blockOf = (address: string): StoredBlock => {
      const own = keysOf(address)
        .map(({ pk }) => found.get(pk))
        .filter((item) => item !== undefined);
      const erased = own.map((item) => erasedOf(workspaceId, item)).find((one) => one !== null) ?? null;
      return { platform: own.map((item) => platformOf(address, item)).find((one) => one !== null) ?? null, erased };
    };
    return new Map(addresses.map((address) => [address, blockOf(address)]));
  };
  return { keysOf, blocksOf };
}

function platformOf(email: string, item: Item): Suppression | null {
  if (item.platform === undefined) return null;
  const { reason, at } = entry.parse(item.platform);
  return { email, reason, scope: 'platform', createdAt: at };
}

function erasedOf(workspaceId: string, item: Item): StoredBlock['erased'] {
  const own = item[erasedName(workspaceId)];
  return own === undefined ? null : { ...entry.parse(own), isErased: true };
}

/** The attribute for what remains of a person whom a workspace has erased. */
export const erasedName = (workspaceId: string) => `erased#${workspaceId}` as const;

/**
 * Writes, changes or deletes what remains of an erased person, if it is still as in `before`; null when nothing
 * changes.
 */
export function erasedPart(
  hash: string,
  workspaceId: string,
  before: Person['suppression'],
  after: Person['suppression'],
): TransactionPart | null {
  const stored = before?.isErased ? before.reason : null;
  const kept = after?.isErased ? after : null;
  if (stored === (kept?.reason ?? null)) return null;
  const name = erasedName(workspaceId);
  return changePart<BlockRecord>(blockKey(hash), {
    set: kept ? [[name, { reason: kept.reason, at: kept.at }], { nameless: true }] : [],
    remove: kept ? [] : [name],
    if: stored === null ? [] : [[[name, 'reason'], '=', stored]],
  });
}

/** The alias of a person whom the workspace has erased; null for anybody else. Concurrent requests share a read. */
export async function findAlias(workspaceId: string, address: string): Promise<string | null> {
  const salt = await readSalt();
  if (salt === null) return null;
  const hash = addressHash(salt, address);
  const [item] = await readTogether([blockKey(hash)]);
  return item && erasedOf(workspaceId, item) ? aliasOf(hash) : null;
}

/** By table name, since tests have several. A salt never changes. */
const known = new Map<string, Promise<string | null>>();

/** The salt of this table's address hashes; null until one is created. A process reads it until there is one. */
export function readSalt(): Promise<string | null> {
  const table = tableName();
  const reading = known.get(table) ?? loadSalt();
  known.set(table, reading);
  const forget = () => known.delete(table);
  reading.then((salt) => salt ?? forget(), forget);
  return reading;
}

async function loadSalt(): Promise<string | null> {
  const item = await getItem(saltKey);
  return item && String(item.salt);
}

/** The salt; created if there is none. Concurrent processes all get the same one. */
export async function ensureSalt(): Promise<string> {
  const setIfAbsent = { salt: randomBytes(32).toString('base64url') };
  const item = await upsertItem<{ readonly salt: string }>(saltKey, { setIfAbsent });
  return String(item?.salt);
}

interface PlatformAddressRecord extends Indexed<'suppressed'> {
  readonly email: string;
  readonly suppression_reason: SuppressionReason;
  readonly suppression_rank: number;
  readonly suppressed_at: string;
  readonly version: number;
}

/**
 * The platform's list is stored twice: by address, which its index lists, and under the address's hash, which is looked
 * up and remains after an erasure. Both are written in one transaction.
 */

/** Those of these addresses that are on the platform's list: half a read unit per address. */
export async function findPlatformSuppressed(
  emails: readonly string[],
  { consistent = false } = {},
): Promise<Set<string>> {
  const { keysOf, blocksOf } = await blockReader();
  const items = await batchGet(emails.flatMap(keysOf), { consistent });
  return new Set([...blocksOf('', emails, items)].filter(([, { platform }]) => platform).map(([email]) => email));
}

/** The platform's whole list in pages, without erased people. */
export async function* platformSuppressedPages(): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const { positions, next } = await newestPositions('suppressed', platformSuppressedPartition, {
      limit: 1000,
      after,
    });
    yield positions.map(idOfPosition);
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Removes an address (canonical form) from the platform's list and returns its entry; null when there was none. */
export async function deletePlatformSuppression(email: string): Promise<Suppression | null> {
  const [address, block] = [platformAddressKey(email), blockKey(addressHash(await ensureSalt(), email))];
  // Read first: after a lost answer, a deletion cannot tell what it deleted.
  const [own, blocked] = await readTogether([address, block]);
  await deleteItem(address);
  await changeItem<BlockRecord>(block, { remove: ['platform'] });
  if (own) return suppressionOf(own);
  const kept = blocked?.platform as BlockRecord['platform'];
  return kept ? { email, reason: kept.reason, scope: 'platform', createdAt: kept.at } : null;
}

/**
 * Adds an address to the platform's list; false when it is on it for the same or a higher reason. The first date and
 * the higher reason stay. For an erased person only the hash is stored. Workspaces suppress people through
 * shared/services/suppression.ts.
 */
export async function putPlatformSuppression(email: string, reason: SuppressionReason, at: Date): Promise<boolean> {
  const salt = await ensureSalt();
  const hash = addressHash(salt, email);
  const known = await getItem(platformAddressKey(email));
  const entry = { reason, at: known ? String(known.suppressed_at) : at.toISOString(), rank: suppressionRank(reason) };
  const refused = await transact([
    addressPart(email, reason, at),
    // Only while no workspace has erased the person, so that an erased address is not stored again.
    changePart<BlockRecord>(blockKey(hash), { set: { platform: entry }, if: [['nameless', 'absent']] }),
  ]);
  if (refused === null) return true;
  if (isFailedCondition(refused[0])) return false;
  const hashOnly = await upsertItem<BlockRecord>(blockKey(hash), {
    set: { platform: entry },
    if: [
      {
        any: [
          [['platform', 'rank'], 'absent'],
          [['platform', 'rank'], '<', entry.rank],
        ],
      },
    ],
  });
  return hashOnly !== null;
}

/** Removes the address from the platform's list and leaves its hash; does nothing for an address that is not on it. */
export async function forgetPlatformAddress(email: string): Promise<void> {
  await deleteItem(platformAddressKey(email));
}

function addressPart(email: string, reason: SuppressionReason, at: Date): TransactionPart {
  const rank = suppressionRank(reason);
  const since = at.toISOString();
  return changePart<PlatformAddressRecord>(platformAddressKey(email), {
    set: { email, suppression_reason: reason, suppression_rank: rank, suppressed_pk: platformSuppressedPartition },
    setIfAbsent: { suppressed_at: since, suppressed_sk: `${since}#${email}` },
    add: { version: 1 },
    if: [
      {
        any: [
          ['suppression_rank', 'absent'],
          ['suppression_rank', '<', rank],
        ],
      },
    ],
  });
}

const part = z.object({
  email: z.string(),
  suppression_reason: z.enum(suppressionReasons),
  suppressed_at: z.string(),
});

/** The suppression in an address item; null when the item exists for another reason. */
export function suppressionOf(item: Item): Suppression | null {
  if (!item.suppression_reason) return null;
  const parsed = part.parse(item);
  const scope = String(item.pk).startsWith('PLATFORM#') ? 'platform' : 'organization';
  return { email: parsed.email, reason: parsed.suppression_reason, scope, createdAt: parsed.suppressed_at };
}
