import { addressHash } from '../../domain/person/erased.ts';
import { type Suppression, type SuppressionReason, suppressionRank } from '../../domain/person/suppression.ts';
import { DeleteCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { blockKey, platformAddressKey, platformSuppressedPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, documents, tableName } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { blockReader } from './blocks.ts';
import { ensureSalt } from './salt.ts';
import { suppressionOf } from './suppressionItem.ts';

/**
 * The platform's list is kept twice: by address, which its index lists, and in the block of the address's hash, which is
 * what everybody looks up and what is left when the person is erased. Both are one transaction.
 */

/** Those of these addresses that are on the platform's list: half a read unit an address. */
export async function findPlatformSuppressed(emails: readonly string[]): Promise<Set<string>> {
  const { keysOf, blocksOf } = await blockReader();
  const items = await batchGet(emails.flatMap(keysOf), { consistent: false });
  return new Set([...blocksOf('', emails, items)].filter(([, { platform }]) => platform).map(([email]) => email));
}

/** The platform's whole list, in pages, without those who were erased. */
export async function* platformSuppressedPages(): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const { positions, next } = await newestPositions('suppressed', platformSuppressedPartition, {
      limit: 1000,
      after,
    });
    yield positions.map(addressOfPosition);
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Takes an address (canonical form) off the platform's list; answers what stood there, null when nothing did. */
export async function deletePlatformSuppression(email: string): Promise<Suppression | null> {
  const { salt } = await ensureSalt();
  const { Attributes: own } = await documents.send(
    new DeleteCommand({ TableName: tableName(), Key: platformAddressKey(email), ReturnValues: 'ALL_OLD' }),
  );
  const { Attributes: block } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: blockKey(addressHash(salt, email)),
      UpdateExpression: 'REMOVE platform',
      ReturnValues: 'ALL_OLD',
    }),
  );
  const kept = block?.platform as { reason: SuppressionReason; at: string } | undefined;
  if (own) return suppressionOf(own);
  return kept ? { email, reason: kept.reason, scope: 'platform', createdAt: kept.at } : null;
}

/**
 * Puts an address on the platform's own list; false when it stands there for the same or a higher reason. The first
 * date and the higher reason stay. Of somebody who was erased only the hash is put there. In a workspace people are
 * suppressed through shared/services/suppression/.
 */
export async function putPlatformSuppression(email: string, reason: SuppressionReason, at: Date): Promise<boolean> {
  const { salt } = await ensureSalt();
  const hash = addressHash(salt, email);
  const [known] = await batchGet([platformAddressKey(email)], { consistent: true });
  const entry = { reason, at: known ? String(known.suppressed_at) : at.toISOString() };
  const refused = await transact([
    { Update: ownUpdate(email, reason, at) },
    { Update: blockUpdate(hash, entry, { named: true }) },
  ]);
  if (refused === null) return true;
  if (isFailedCondition(refused[0])) return false;
  return mirrorPlatformSuppression(hash, entry);
}

/** Puts an entry into the block alone; false when the block has it, or one that outranks it. */
export async function mirrorPlatformSuppression(
  hash: string,
  entry: { readonly reason: SuppressionReason; readonly at: string },
): Promise<boolean> {
  return conditionHolds(() => documents.send(new UpdateCommand(blockUpdate(hash, entry, { named: false }))));
}

/** Takes the address out of the platform's list and leaves its hash there; nothing happens to one that is not on it. */
export async function forgetPlatformAddress(email: string): Promise<void> {
  const { salt } = await ensureSalt();
  const hash = addressHash(salt, email);
  const [own] = await batchGet([platformAddressKey(email)], { consistent: true });
  const known = own && suppressionOf(own);
  if (known) await mirrorPlatformSuppression(hash, { reason: known.reason, at: known.createdAt });
  if (own) await documents.send(new DeleteCommand({ TableName: tableName(), Key: platformAddressKey(email) }));
}

/** The entries that came to the list after a moment (ISO 8601), a page at a time. */
export async function platformEntriesAfter(from: string): Promise<Suppression[]> {
  const found: Suppression[] = [];
  for await (const emails of newerPages(from)) {
    const items = await batchGet(emails.map(platformAddressKey), { consistent: true });
    found.push(...items.flatMap((item) => suppressionOf(item) ?? []));
  }
  return found;
}

async function* newerPages(from: string): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const page = await newestPositions('suppressed', platformSuppressedPartition, { limit: 1000, after });
    const newer = page.positions.filter((position) => position > from);
    yield newer.map(addressOfPosition);
    after = newer.length < page.positions.length ? undefined : (page.next ?? undefined);
  } while (after !== undefined);
}

function ownUpdate(email: string, reason: SuppressionReason, at: Date) {
  const since = at.toISOString();
  return {
    TableName: tableName(),
    Key: platformAddressKey(email),
    UpdateExpression:
      'SET email = :email, suppression_reason = :reason, suppression_rank = :rank, ' +
      'suppressed_at = if_not_exists(suppressed_at, :at), suppressed_pk = :partition, ' +
      'suppressed_sk = if_not_exists(suppressed_sk, :position) ADD version :one',
    ConditionExpression: 'attribute_not_exists(suppression_rank) OR suppression_rank < :rank',
    ExpressionAttributeValues: {
      ':email': email,
      ':reason': reason,
      ':rank': suppressionRank(reason),
      ':at': since,
      ':partition': platformSuppressedPartition,
      ':position': `${since}#${email}`,
      ':one': 1,
    },
  };
}

/** `named`: only while nobody has erased the person, so that an address that was taken out does not come back. */
function blockUpdate(
  hash: string,
  { reason, at }: { readonly reason: SuppressionReason; readonly at: string },
  { named }: { readonly named: boolean },
) {
  const isNews = '(attribute_not_exists(platform.#rank) OR platform.#rank < :rank)';
  return {
    TableName: tableName(),
    Key: blockKey(hash),
    UpdateExpression: 'SET platform = :entry',
    ConditionExpression: named ? 'attribute_not_exists(nameless)' : isNews,
    ...(named ? {} : { ExpressionAttributeNames: { '#rank': 'rank' } }),
    ExpressionAttributeValues: {
      ':entry': { reason, at, rank: suppressionRank(reason) },
      ...(named ? {} : { ':rank': suppressionRank(reason) }),
    },
  };
}
