import { addressHash } from '../../domain/person/erased.ts';
import { isSilent } from '../../domain/person/preferences.ts';
import type { KnownAddress, Person } from '../../domain/person/subscriber.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { blockReader, erasedPart } from '../suppression/blocks.ts';
import { ensureSalt } from '../suppression/salt.ts';
import { addressItemKey, type Key } from '../table/keys.ts';
import { batchGet, type TransactionPart, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { deliveryParts } from '../webhook/deliveries.ts';
import { formerTermItemsOf, itemOf, leaverItemsOf, nobody, personOf, termItemsOf } from './personItem.ts';

/** What is known of these addresses (canonical form, each once): one batch read of two items an address. */
export async function getAddresses(
  workspaceId: string,
  emails: readonly string[],
  options: { consistent: boolean },
): Promise<Map<string, KnownAddress>> {
  const { keysOf, blocksOf } = await blockReader();
  const ownKeyOf = (email: string) => addressItemKey(workspaceId, email);
  const items = await batchGet(
    emails.flatMap((email) => [ownKeyOf(email), ...keysOf(email)]),
    options,
  );
  const found = new Map(items.map((item) => [item.pk, item]));
  const blocks = blocksOf(workspaceId, emails, items);
  return new Map(
    emails.map((email) => {
      const own = found.get(ownKeyOf(email).pk);
      const person = own ? personOf(workspaceId, own) : nobody(workspaceId, email);
      const { platform = null, erased = null } = blocks.get(email) ?? {};
      return [email, { person: { ...person, suppression: person.suppression ?? erased }, platform }];
    }),
  );
}

/** One address, strongly consistent. */
export async function getAddress(workspaceId: string, email: string): Promise<KnownAddress> {
  const found = await getAddresses(workspaceId, [email], { consistent: true });
  return found.get(email) ?? { person: nobody(workspaceId, email), platform: null };
}

/** The people behind these addresses, in their order; those that nothing is stored of are left out. Eventually consistent. */
export async function getPeople(workspaceId: string, emails: readonly string[]): Promise<Person[]> {
  const items = await batchGet(
    emails.map((email) => addressItemKey(workspaceId, email)),
    { consistent: false },
  );
  const people = new Map(items.map((item) => [String(item.email), personOf(workspaceId, item)]));
  return emails.flatMap((email) => people.get(email) ?? []);
}

/**
 * Writes a person with their search terms and the deliveries of what happened in one transaction, provided that nobody
 * has written since `before` was read. False when somebody has: read again. Whoever is known again is suppressed by name
 * again, and of whom nothing is stored only the salted hash is.
 */
export async function savePerson(before: Person, after: Person, deliveries: readonly Delivery[]): Promise<boolean> {
  const parts = await partsOf(before, after, deliveries);
  return parts.length === 0 || (await transact(parts)) === null;
}

/** What such a transaction holds; nothing when there is nothing to write. */
export async function partsOf(
  before: Person,
  after: Person,
  deliveries: readonly Delivery[],
): Promise<TransactionPart[]> {
  const written = isStored(after) ? { ...after, suppression: byName(after.suppression) } : after;
  return [
    ...addressParts(before, written),
    ...(await erasedParts(before, written)),
    ...besideParts(before, written),
    ...deliveryParts(deliveries),
  ];
}

/** Puts what is left of an erased person beside what is stored of them. */
export async function keepErased(erased: Person): Promise<void> {
  const parts = await erasedParts(nobody(erased.workspaceId, erased.email), erased);
  await transact(parts);
}

const isStored = ({ subscriber, confirmation, suppression, preferences }: Person): boolean =>
  subscriber !== null ||
  confirmation !== null ||
  !isSilent(preferences) ||
  (suppression !== null && !suppression.isErased);

const byName = (suppression: Person['suppression']): Person['suppression'] =>
  suppression && { reason: suppression.reason, at: suppression.at };

function addressParts(before: Person, after: Person): TransactionPart[] {
  const unchanged =
    before.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } };
  if (isStored(after)) {
    return [{ Put: { TableName: tableName(), Item: itemOf({ ...after, version: before.version + 1 }), ...unchanged } }];
  }
  const Key = addressItemKey(after.workspaceId, after.email);
  return before.version === 0 ? [] : [{ Delete: { TableName: tableName(), Key, ...unchanged } }];
}

/** Most people were never erased, and cost nothing here. */
async function erasedParts(before: Person, after: Person): Promise<TransactionPart[]> {
  if (!before.suppression?.isErased && !after.suppression?.isErased) return [];
  const { salt } = await ensureSalt();
  const hash = addressHash(salt, after.email);
  const part = erasedPart(hash, after.workspaceId, before.suppression, after.suppression);
  return part ? [part] : [];
}

/** What came, went or has another predecessor; the rest is left alone. */
const besideParts = (before: Person, after: Person): TransactionPart[] => [
  ...termParts(before, after),
  ...changesOf(leaverItemsOf(before), leaverItemsOf(after)),
];

/**
 * Terms lie beside a person as this release keeps them, or still as one before did, which nobody needs to know while
 * neither would move. Else they are put down as this release keeps them, and whatever else may lie there goes.
 */
function termParts(before: Person, after: Person): TransactionPart[] {
  const ways = [termItemsOf, formerTermItemsOf];
  const isStill = ways.every((itemsOf) => changesOf(itemsOf(before), itemsOf(after)).length === 0);
  const standing = ways.flatMap((itemsOf) => itemsOf(before));
  return isStill ? [] : changesOf(standing, termItemsOf(after));
}

type Beside = Key & { readonly shared?: number };

/** From what may stand to what shall: of an item that may stand in two ways, both are to be as wanted. */
function changesOf(standing: readonly Beside[], wanted: readonly Beside[]): TransactionPart[] {
  const positionOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const old = Map.groupBy(standing, positionOf);
  const kept = new Set(wanted.map(positionOf));
  const gone = [...old].flatMap(([position, [item]]) => (item && !kept.has(position) ? item : []));
  const isAsWanted = (item: Beside) =>
    old.get(positionOf(item))?.every(({ shared }) => shared === item.shared) ?? false;
  return [
    ...gone.map(({ pk, sk }) => ({ Delete: { TableName: tableName(), Key: { pk, sk } } })),
    ...wanted.filter((item) => !isAsWanted(item)).map((Item) => ({ Put: { TableName: tableName(), Item } })),
  ];
}
