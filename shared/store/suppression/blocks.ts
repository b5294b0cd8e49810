import * as z from 'zod';
import { addressHash, aliasOf } from '../../domain/person/erased.ts';
import type { Person } from '../../domain/person/subscriber.ts';
import { type Suppression, suppressionReasons } from '../../domain/person/suppression.ts';
import { blockKey, type Key, platformAddressKey } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { type Item, type TransactionPart, tableName } from '../table/table.ts';
import { readSalt } from './salt.ts';
import { suppressionOf } from './suppressionItem.ts';

/** What stands against an address besides its own item. */
interface Block {
  readonly platform: Suppression | null;
  /** What is kept of somebody whom the workspace has erased. */
  readonly erased: NonNullable<Person['suppression']> | null;
}

const entry = z.object({ reason: z.enum(suppressionReasons), at: z.string() });

/** Which items to read for addresses (canonical form), and what they say: one item each. */
export interface BlockReader {
  readonly keysOf: (address: string) => Key[];
  /** By address, of what was read; other items among it are left alone. */
  readonly blocksOf: (workspaceId: string, addresses: readonly string[], items: readonly Item[]) => Map<string, Block>;
}

/** Until the platform's list is mirrored (the first minute of this release) its own items are read as well. */
export async function blockReader(): Promise<BlockReader> {
  const known = await readSalt();
  const made = new Map<string, Key[]>();
  const makeKeys = (address: string): Key[] => [
    ...(known ? [blockKey(addressHash(known.salt, address))] : []),
    ...(known?.mirroredThrough ? [] : [platformAddressKey(address)]),
  ];
  const keysOf = (address: string): Key[] => {
    const keys = made.get(address) ?? makeKeys(address);
    made.set(address, keys);
    return keys;
  };
  const blocksOf = (workspaceId: string, addresses: readonly string[], items: readonly Item[]) => {
    const found = new Map(items.map((item): [string, Item] => [String(item.pk), item]));
    const blockOf = (address: string): Block => {
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
  if (item.suppression_reason !== undefined) return suppressionOf(item);
  if (item.platform === undefined) return null;
  const { reason, at } = entry.parse(item.platform);
  return { email, reason, scope: 'platform', createdAt: at };
}

function erasedOf(workspaceId: string, item: Item): Block['erased'] {
  const own = item[erasedName(workspaceId)];
  return own === undefined ? null : { ...entry.parse(own), isErased: true };
}

/** Where a block keeps what a workspace knows of somebody whom it erased. */
export const erasedName = (workspaceId: string): string => `erased#${workspaceId}`;

/** Keeps, changes or lifts what is left of an erased person, provided that it stands as `before` says; null: no part. */
export function erasedPart(
  hash: string,
  workspaceId: string,
  before: Person['suppression'],
  after: Person['suppression'],
): TransactionPart | null {
  const was = before?.isErased ? before.reason : null;
  const wanted = after?.isErased ? after : null;
  if (was === (wanted?.reason ?? null)) return null;
  const own = { '#own': erasedName(workspaceId) };
  return {
    Update: {
      TableName: tableName(),
      Key: blockKey(hash),
      ...(wanted ? { UpdateExpression: 'SET #own = :own, nameless = :true' } : { UpdateExpression: 'REMOVE #own' }),
      ...(was !== null && { ConditionExpression: '#own.reason = :was' }),
      ExpressionAttributeNames: own,
      ...((wanted || was !== null) && {
        ExpressionAttributeValues: {
          ...(wanted && { ':own': { reason: wanted.reason, at: wanted.at }, ':true': true }),
          ...(was !== null && { ':was': was }),
        },
      }),
    },
  };
}

/** What somebody whom the workspace has erased is called; null for everybody else. Read together with others. */
export async function findAlias(workspaceId: string, address: string): Promise<string | null> {
  const known = await readSalt();
  if (!known) return null;
  const hash = addressHash(known.salt, address);
  const [item] = await readTogether([blockKey(hash)]);
  return item && erasedOf(workspaceId, item) ? aliasOf(hash) : null;
}
