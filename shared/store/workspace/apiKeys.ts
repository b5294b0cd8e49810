import * as z from 'zod';
import { type Scope, scopeNames } from '../../contract/scopes.ts';
import { changeItem } from '../table/change.ts';
import { apiKeyKey, workspaceKeyKey } from '../table/keys.ts';
import { batchGet, type Item, queryAll, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { type RateWindow, rateWindow, windowAt } from './rateWindows.ts';

/** Scopes that only a later release knows open nothing here, and close nothing either. */
const scopes = z
  .array(z.string())
  .transform((names) => names.filter((name): name is Scope => (scopeNames as readonly string[]).includes(name)));

/** A key as it is kept: its fingerprint and its last four characters, never the key. */
const record = z
  .object({
    workspace_id: z.string(),
    key_id: z.string(),
    name: z.string(),
    last_four: z.string(),
    fingerprint: z.string(),
    scopes,
    created_at: z.string(),
    revoked_at: z.string().nullish(),
  })
  .transform((item) => ({
    workspaceId: item.workspace_id,
    keyId: item.key_id,
    keyName: item.name,
    lastFour: item.last_four,
    fingerprint: item.fingerprint,
    scopes: item.scopes,
    createdAt: item.created_at,
    revokedAt: item.revoked_at ?? null,
  }));

export type ApiKey = z.output<typeof record>;

/** The calls of a minute, as an attribute of the key: they are counted where the key is looked up, by one write. */
const callsName = (minute: number): string => `calls_${minute}`;
/** More counts of minutes that are over are taken out of the key, so that it stays one write unit. */
const mostPastMinutes = 8;

/**
 * Looks a key up and counts a call of it. The write tells of the key as it stands, so a revocation holds on the very next
 * call. Null when there is no such key: then nothing is written.
 */
export async function countKeyCall(
  fingerprint: string,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly window: RateWindow } | null> {
  const minute = windowAt(now);
  const item = await changeItem(apiKeyKey(fingerprint), {
    add: { [callsName(minute)]: 1 },
    // Clocks differ by less than the minute in between.
    remove: [callsName(minute - 2)],
  });
  if (!item) return null;
  await forgetPastMinutes(fingerprint, item, minute);
  return { key: record.parse(item), window: rateWindow(minute, Number(item[callsName(minute)])) };
}

/** A key that is used now and then leaves a count in every minute of it: one more write after several of those. */
async function forgetPastMinutes(fingerprint: string, item: Item, minute: number): Promise<void> {
  const past = Object.keys(item).filter((name) => /^calls_\d+$/.test(name) && name < callsName(minute - 1));
  if (past.length > mostPastMinutes) await changeItem(apiKeyKey(fingerprint), { remove: past });
}

/** When each key was last called, to the minute, by its id: the counts of calls tell. Half a read unit a key. */
export async function lastUses(keys: readonly ApiKey[]): Promise<Map<string, Date>> {
  const items = await batchGet(
    keys.map(({ fingerprint }) => apiKeyKey(fingerprint)),
    { consistent: false },
  );
  return new Map(
    items.flatMap((item) => {
      const minutes = Object.keys(item).flatMap((name) => Number(/^calls_(\d+)$/.exec(name)?.[1] ?? Number.NaN));
      const last = Math.max(...minutes.filter((minute) => !Number.isNaN(minute)));
      return Number.isFinite(last) ? [[String(item.key_id), new Date(last * 60_000)] as const] : [];
    }),
  );
}

export async function listApiKeys(workspaceId: string): Promise<ApiKey[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': workspaceKeyKey(workspaceId, '').pk },
    ConsistentRead: true,
  });
  return items.map((item) => record.parse(item));
}

/** Written twice, by fingerprint and in the workspace's list, in one transaction. */
export async function putApiKey(key: Omit<ApiKey, 'revokedAt'>): Promise<void> {
  const item = {
    workspace_id: key.workspaceId,
    key_id: key.keyId,
    name: key.keyName,
    last_four: key.lastFour,
    fingerprint: key.fingerprint,
    scopes: key.scopes,
    created_at: key.createdAt,
  };
  const keys = [apiKeyKey(key.fingerprint), workspaceKeyKey(key.workspaceId, key.keyId)];
  const refused = await transact(
    keys.map((position) => ({
      Put: { TableName: tableName(), Item: { ...position, ...item }, ConditionExpression: 'attribute_not_exists(pk)' },
    })),
  );
  if (refused) throw new Error('There is a key of this id already.');
}

/** Marks both copies revoked; a key that is revoked already keeps its first date. */
export async function revokeApiKey(key: ApiKey, at: Date): Promise<void> {
  const keys = [apiKeyKey(key.fingerprint), workspaceKeyKey(key.workspaceId, key.keyId)];
  const refused = await transact(
    keys.map((position) => ({
      Update: {
        TableName: tableName(),
        Key: position,
        UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :at)',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':at': at.toISOString() },
      },
    })),
  );
  if (refused) throw new Error(`The key ${key.keyId} does not stand in both places.`);
}
