import * as z from 'zod';
import { type Scope, scopeNames } from '../../contract/scopes.ts';
import { batchGet } from '../table/batches.ts';
import { apiKeyKey, rateWindowKey, workspaceKeyKey } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changeItem, changePart, putPart, upsertItem } from '../table/write.ts';
import { openPart } from './workspaces.ts';

/** Scopes that only a later release knows are ignored here. */
const scopes = z
  .array(z.string())
  .transform((names) => names.filter((name): name is Scope => (scopeNames as readonly string[]).includes(name)));

/** A stored key: its fingerprint and its last four characters, never the key. */
const record = z.object({
  workspace_id: z.string(),
  key_id: z.string(),
  name: z.string(),
  last_four: z.string(),
  fingerprint: z.string(),
  scopes,
  created_at: z.string(),
  revoked_at: z.string().nullish(),
  /**
   * The scopes of a child key, whose `scopes` are empty: 1.0.0 knows neither its parent nor its end, so after a rollback
   * the key may do nothing.
   */
  child_scopes: scopes.optional(),
  /** Of a child key: the key that made it. */
  parent_id: z.string().nullish(),
  parent_fingerprint: z.string().nullish(),
  /** From then on a child key is refused. */
  valid_until: z.string().nullish(),
});

export interface KeyRecord extends z.input<typeof record> {
  /** The calls of a minute, counted by the write that looks up the key. */
  readonly [calls: `calls_${number}`]: number;
  /** In the workspace's list: how many child keys it has made, so that two calls cannot both make the last one. */
  readonly children_made?: number;
  /** When a child key that has ended is forgotten, in Unix seconds. */
  readonly expires_at?: number;
}

export function apiKeyOf(item: Item) {
  const read = record.parse(item);
  return {
    workspaceId: read.workspace_id,
    keyId: read.key_id,
    keyName: read.name,
    lastFour: read.last_four,
    fingerprint: read.fingerprint,
    scopes: read.child_scopes ?? read.scopes,
    createdAt: read.created_at,
    revokedAt: read.revoked_at ?? null,
    parent:
      read.parent_id && read.parent_fingerprint
        ? { keyId: read.parent_id, fingerprint: read.parent_fingerprint }
        : null,
    validUntil: read.valid_until ?? null,
  };
}

export type ApiKey = ReturnType<typeof apiKeyOf>;

/** Why a key is refused by itself; null while it lives. A child key is also refused once its parent is. */
export function endOfKey({ revokedAt, validUntil }: ApiKey, now: Date): 'revoked' | 'expired' | null {
  if (revokedAt) return 'revoked';
  return validUntil && Date.parse(validUntil) <= now.getTime() ? 'expired' : null;
}

const minuteSeconds = 60;

/** A window of a fixed minute: its number of calls, and its end (Unix seconds). */
export interface RateWindow {
  readonly count: number;
  readonly resetsAt: number;
}

/** The minute (since the epoch) of the window. */
const windowAt = (now: Date): number => Math.floor(now.getTime() / 1000 / minuteSeconds);

/** The start of a minute's window. */
const startOf = (minute: number): Date => new Date(minute * minuteSeconds * 1000);

const rateWindow = (minute: number, count: number): RateWindow => ({
  count,
  resetsAt: (minute + 1) * minuteSeconds,
});

/** Calls of a source in a minute. */
interface SourceRecord {
  readonly calls: number;
  /** Unix seconds. */
  readonly expires_at: number;
}

/**
 * Counts one call of a source (`source#<address>`) in the current minute; calls with an API key are counted in the
 * key's item.
 */
export async function countCall(source: string, now: Date): Promise<RateWindow> {
  const minute = windowAt(now);
  const change = { add: { calls: 1 }, set: { expires_at: (minute + 2) * minuteSeconds } } as const;
  const item = await upsertItem<SourceRecord>(rateWindowKey(source, minute), change);
  return rateWindow(minute, Number(item?.calls ?? 1));
}

const callsName = (minute: number) => `calls_${minute}` as const;
/** When an item has more past minutes than this, they are removed, to keep it within one write unit. */
const maxPastMinutes = 8;

/** A key as the write that counted its call returned it, and the window in which the call counts. */
export interface CountedCall {
  readonly key: ApiKey;
  readonly window: RateWindow;
  /** Why the key, or else its parent, is refused. */
  readonly end: ReturnType<typeof endOfKey>;
}

/**
 * Looks up a key and counts a call in one write. The write returns the current key, so a revocation takes effect on the
 * next call. Null, without a write, when there is no such key. A call of a living child key counts in its parent's window,
 * by a second write, which returns the current parent: the two and all other children share one limit and one end.
 */
export async function countKeyCall(fingerprint: string, now: Date): Promise<CountedCall | null> {
  const own = await countOwnCall(fingerprint, now);
  if (!own?.key.parent || own.end) return own;
  const parent = await countOwnCall(own.key.parent.fingerprint, now);
  return parent && { ...parent, key: own.key };
}

async function countOwnCall(fingerprint: string, now: Date): Promise<CountedCall | null> {
  const minute = windowAt(now);
  const item = await changeItem<KeyRecord>(apiKeyKey(fingerprint), {
    add: [[callsName(minute), 1]],
    // Clocks differ by less than a minute.
    remove: [callsName(minute - 2)],
  });
  if (!item) return null;
  await forgetPastMinutes(fingerprint, item, minute);
  const key = apiKeyOf(item);
  return { key, window: rateWindow(minute, Number(item[callsName(minute)])), end: endOfKey(key, now) };
}

/**
 * A key that is used now and then collects counts of single minutes: removes them by one more write from time to time.
 */
async function forgetPastMinutes(fingerprint: string, item: Item, minute: number): Promise<void> {
  const past = minutesOf(item).filter((counted) => counted < minute - 1);
  if (past.length > maxPastMinutes)
    await changeItem<KeyRecord>(apiKeyKey(fingerprint), { remove: past.map(callsName) });
}

/** The minutes with a count in the item. */
const minutesOf = (item: Item): number[] =>
  Object.keys(item)
    .flatMap((name) => /^calls_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number);

export async function getApiKey(workspaceId: string, keyId: string): Promise<ApiKey | null> {
  const item = await getItem(workspaceKeyKey(workspaceId, keyId));
  return item && apiKeyOf(item);
}

export async function listApiKeys(workspaceId: string): Promise<ApiKey[]> {
  const { pk: partition } = workspaceKeyKey(workspaceId, '');
  return (await queryAll({ partition, consistency: 'strong' })).map(apiKeyOf);
}

/**
 * When keys were last called, to the minute, from the counts of their calls. Keys that were never called are left out.
 * Half a read unit per key.
 */
export async function lastCalls(fingerprints: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const items = await batchGet(fingerprints.map(apiKeyKey), { consistent: false });
  return new Map(
    items.flatMap((item): [string, Date][] => {
      const minutes = minutesOf(item);
      return minutes.length > 0 ? [[String(item.fingerprint), startOf(Math.max(...minutes))]] : [];
    }),
  );
}

/** A key is written twice, by fingerprint and in the workspace's list, in one transaction. */
const copiesOf = ({ workspaceId, keyId, fingerprint }: Pick<ApiKey, 'workspaceId' | 'keyId' | 'fingerprint'>) => [
  apiKeyKey(fingerprint),
  workspaceKeyKey(workspaceId, keyId),
];

/** The parts of a transaction that write a key. */
export const putKeyParts = (key: Omit<ApiKey, 'revokedAt'>): TransactionPart[] => {
  const { parent, validUntil } = key;
  const stored: KeyRecord = {
    workspace_id: key.workspaceId,
    key_id: key.keyId,
    name: key.keyName,
    last_four: key.lastFour,
    fingerprint: key.fingerprint,
    scopes: parent ? [] : key.scopes,
    created_at: key.createdAt,
    ...(parent && {
      child_scopes: key.scopes,
      parent_id: parent.keyId,
      parent_fingerprint: parent.fingerprint,
    }),
    ...(validUntil && { valid_until: validUntil, expires_at: Date.parse(validUntil) / 1000 + keptSeconds }),
  };
  return copiesOf(key).map((position) => putPart<KeyRecord>(position, stored, { if: [['pk', 'absent']] }));
};

/** For so long an expired key stays in the list. */
const keptSeconds = 30 * 24 * 3600;

/** False when the workspace is being deleted: no key is created after its keys were revoked. */
export async function putApiKey(key: Omit<ApiKey, 'revokedAt'>): Promise<boolean> {
  const refused = await transact([openPart(key.workspaceId), ...putKeyParts(key)]);
  if (isFailedCondition(refused?.[0])) return false;
  if (refused) throw new Error('There is a key of this id already.');
  return true;
}

/** Marks both copies as revoked; an already revoked key keeps its first date. */
export async function revokeApiKey(key: ApiKey, at: Date): Promise<void> {
  const change = { setIfAbsent: { revoked_at: at.toISOString() }, if: [['pk', 'exists']] } as const;
  const refused = await transact(copiesOf(key).map((position) => changePart<KeyRecord>(position, change)));
  if (refused) throw new Error(`Of the key ${key.keyId} one of two records is missing.`);
}
