import type { KnownAddress, Person } from '../../domain/person/subscriber.ts';
import type { Suppression } from '../../domain/person/suppression.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { addressItemKey, platformAddressKey } from '../table/keys.ts';
import { batchGet, type TransactionPart, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { deliveryParts } from '../webhook/deliveries.ts';
import { itemOf, nobody, personOf, termItemsOf } from './personItem.ts';
import { suppressionOf } from './suppression.ts';

/** What is known of these addresses (canonical form, each once): one batch read of two items an address. */
export async function getAddresses(
  workspaceId: string,
  emails: readonly string[],
  options: { consistent: boolean },
): Promise<Map<string, KnownAddress>> {
  const keys = emails.flatMap((email) => [addressItemKey(workspaceId, email), platformAddressKey(email)]);
  const items = await batchGet(keys, options);
  const platform = new Map<string, Suppression | null>();
  const people = new Map<string, Person>();
  for (const item of items) {
    if (String(item.pk).startsWith('PLATFORM#')) platform.set(String(item.email), suppressionOf(item));
    else people.set(String(item.email), personOf(workspaceId, item));
  }
  return new Map(
    emails.map((email) => [
      email,
      { person: people.get(email) ?? nobody(workspaceId, email), platform: platform.get(email) ?? null },
    ]),
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
 * has written since `before` was read. False when somebody has: read again.
 */
export async function savePerson(before: Person, after: Person, deliveries: readonly Delivery[]): Promise<boolean> {
  return (await transact(partsOf(before, after, deliveries))) === null;
}

/** What such a transaction holds. */
export const partsOf = (before: Person, after: Person, deliveries: readonly Delivery[]): TransactionPart[] => [
  addressPart(before, after),
  ...termParts(before, after),
  ...deliveryParts(deliveries),
];

function addressPart(before: Person, after: Person): TransactionPart {
  const unchanged =
    before.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } };
  if (!after.subscriber && !after.suppression && !after.confirmation) {
    const Key = addressItemKey(after.workspaceId, after.email);
    return { Delete: { TableName: tableName(), Key, ...unchanged } };
  }
  return { Put: { TableName: tableName(), Item: itemOf({ ...after, version: before.version + 1 }), ...unchanged } };
}

/** The terms that came, went or have another predecessor; the others are left alone. */
function termParts(before: Person, after: Person): TransactionPart[] {
  const positionOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk}\n${sk}`;
  const old = new Map(termItemsOf(before).map((item) => [positionOf(item), item]));
  const wanted = new Map(termItemsOf(after).map((item) => [positionOf(item), item]));
  const gone = [...old].filter(([position]) => !wanted.has(position));
  const changed = [...wanted].filter(([position, item]) => old.get(position)?.shared !== item.shared);
  return [
    ...gone.map(([, { pk, sk }]) => ({ Delete: { TableName: tableName(), Key: { pk, sk } } })),
    ...changed.map(([, item]) => ({ Put: { TableName: tableName(), Item: item } })),
  ];
}
