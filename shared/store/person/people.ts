import { addressHash } from '../../domain/person/erased.ts';
import { areDefault, type KnownAddress, type Person } from '../../domain/person/person.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { blockReader, ensureSalt, erasedPart } from '../suppression/platformSuppression.ts';
import { batchGet, nameOfKey } from '../table/batches.ts';
import { addressItemKey, type Key } from '../table/keys.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { deletePart, putPart } from '../table/write.ts';
import { deliveryParts } from '../webhook/deliveries.ts';
import {
  type BesideRecord,
  leaverItemsOf,
  nobody,
  type PersonRecord,
  personOf,
  recordOf,
  termItemsOf,
} from './personRecord.ts';

type Beside = Key & BesideRecord;

/** What is stored of these addresses (canonical form, distinct): one batch read of two items per address. */
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

/** The people with these addresses, in the same order, without unknown ones. Eventually consistent. */
export async function getPeople(workspaceId: string, emails: readonly string[]): Promise<Person[]> {
  const items = await batchGet(
    emails.map((email) => addressItemKey(workspaceId, email)),
    { consistent: false },
  );
  const people = new Map(items.map((item) => [String(item.email), personOf(workspaceId, item)]));
  return emails.flatMap((email) => people.get(email) ?? []);
}

/**
 * Writes a person with their search terms and the deliveries of their events in one transaction; false when the person
 * has changed since `before` was read. Storing an erased person again replaces the suppressed hash by the address;
 * removing everything leaves only the salted hash suppressed. `more` is written in the same transaction.
 */
export async function savePerson(
  before: Person,
  after: Person,
  deliveries: readonly Delivery[],
  more: readonly TransactionPart[] = [],
): Promise<boolean> {
  const parts = [...(after === before ? [] : await partsOf(before, after, deliveries)), ...more];
  return parts.length === 0 || (await transact(parts)) === null;
}

/** The parts of such a transaction; none when there is nothing to write. */
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

/** Writes what remains of an erased person, beside what is still stored of them. */
export async function keepErased(erased: Person): Promise<void> {
  const parts = await erasedParts(nobody(erased.workspaceId, erased.email), erased);
  await transact(parts);
}

const isStored = ({ subscriber, confirmation, suppression, preferences }: Person): boolean =>
  subscriber !== null ||
  confirmation !== null ||
  !areDefault(preferences) ||
  (suppression !== null && !suppression.isErased);

const byName = (suppression: Person['suppression']): Person['suppression'] =>
  suppression && { reason: suppression.reason, at: suppression.at };

function addressParts(before: Person, after: Person): TransactionPart[] {
  const key = addressItemKey(after.workspaceId, after.email);
  const isNew = before.version === 0;
  if (isStored(after)) {
    const record = recordOf({ ...after, version: before.version + 1 });
    const unchanged = isNew ? { if: [['pk', 'absent'] as const] } : { expect: { version: before.version } };
    return [putPart<PersonRecord>(key, record, unchanged)];
  }
  return isNew ? [] : [deletePart<PersonRecord>(key, { expect: { version: before.version } })];
}

/** Empty for most people, who were never erased. */
async function erasedParts(before: Person, after: Person): Promise<TransactionPart[]> {
  if (!before.suppression?.isErased && !after.suppression?.isErased) return [];
  const salt = await ensureSalt();
  const hash = addressHash(salt, after.email);
  const part = erasedPart(hash, after.workspaceId, before.suppression, after.suppression);
  return part ? [part] : [];
}

/** Writes and deletes the items beside the address item that were added, removed or changed. */
const besideParts = (before: Person, after: Person): TransactionPart[] => [
  ...changesOf(termItemsOf(before), termItemsOf(after)),
  ...changesOf(leaverItemsOf(before), leaverItemsOf(after)),
];

function changesOf(before: readonly Beside[], after: readonly Beside[]): TransactionPart[] {
  const old = new Map(before.map((item) => [nameOfKey(item), item]));
  const kept = new Set(after.map(nameOfKey));
  const isUnchanged = (item: Beside) => {
    const stored = old.get(nameOfKey(item));
    return stored !== undefined && stored.shared === item.shared;
  };
  return [
    ...before.filter((item) => !kept.has(nameOfKey(item))).map(({ pk, sk }) => deletePart({ pk, sk })),
    ...after
      .filter((item) => !isUnchanged(item))
      .map(({ pk, sk, ...record }) => putPart<BesideRecord>({ pk, sk }, record)),
  ];
}
