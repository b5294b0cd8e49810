import type { Renaming } from '../../domain/person/erased.ts';
import { erasedScheduled } from '../scheduled/scheduledItem.ts';
import { emailOf, erasedEmail } from '../sending/email.ts';
import { tagListingKeys } from '../sending/listing.ts';
import { erasedOutcome } from '../sending/story.ts';
import { type KeyKind, kindOfKey } from '../table/keyKinds.ts';
import type { Key } from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import type { Item } from '../table/table.ts';
import { erasedDelivery } from '../webhook/deliveryItem.ts';

/** An item of a workspace in which somebody's address stands. */
export interface Holding {
  readonly kind: KeyKind;
  readonly item: Item;
  /** The item without the address; null for what is not to be changed here. */
  erased(): Promise<Item | null>;
  /** Items that go with it when it is erased: no address stands in them, and nothing else leads to them. */
  readonly followers?: readonly Key[];
}

/** Null when the address is not in the item. What the workspace says of itself is none of a person's. */
export async function holdingOf(item: Item, names: Renaming): Promise<Holding | null> {
  const kind = kindOfKey({ pk: String(item.pk), sk: String(item.sk) });
  switch (kind) {
    case 'own':
      return null;
    case 'person':
    case 'term':
      // The person is one item with its terms, and changed as such.
      return names.isIn(item) || names.isIn(String(item.pk)) ? { kind, item, erased: async () => null } : null;
    case 'leave':
      // Who comes back gets another link; the old one goes on leading to the alias.
      return names.isAddress(addressOf(item))
        ? { kind, item, erased: async () => null, followers: [keyOf(item)] }
        : null;
    case 'delivery':
      return names.isIn(item) ? { kind, item, erased: async () => erasedDelivery(item) } : null;
    case 'chunk':
      return chunkHolding(item, names);
    case 'outcome': {
      const erased = { ...erasedOutcome(item, names), sk: renamedKey(String(item.sk), names) };
      const isHeld = Object.keys(item).some((name) => erased[name as keyof typeof erased] !== item[name]);
      return isHeld ? { kind, item, erased: async () => erased } : null;
    }
    case 'listed':
      return listedHolding(item, names);
    case 'email':
      return emailHolding(item, names);
    case 'scheduled':
      return names.isIn(item) ? { kind, item, erased: async () => erasedScheduled(names.renamed(item) as Item) } : null;
    default: {
      const renamed = { ...(names.renamed(item) as Item), sk: renamedKey(String(item.sk), names) };
      const isHeld = renamed.sk !== item.sk || names.isIn(item);
      return isHeld ? { kind, item, erased: async () => erasedEmail(renamed) } : null;
    }
  }
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

const addressOf = ({ pk }: Item): string => String(pk).split('#').slice(3).join('#');

/** An email's own tags go when everybody in it is erased, and with them where they list it. */
function emailHolding(item: Item, names: Renaming): Holding | null {
  const renamed = names.renamed(item) as Item;
  if (renamed === item) return null;
  const erased = erasedEmail(renamed);
  const followers = erased.tags === renamed.tags ? [] : tagListingKeys(emailOf(item));
  return { kind: 'email', item, erased: async () => erased, followers };
}

/** The list of what went to somebody is called by their alias. */
function listedHolding(item: Item, names: Renaming): Holding | null {
  const pk = String(item.pk);
  const start = pk.indexOf(listedMark) + listedMark.length;
  const address = pk.slice(start);
  if (!names.isAddress(address)) return null;
  const erased = { ...item, pk: `${pk.slice(0, start)}${names.renamed(address)}` };
  return { kind: 'listed', item, erased: async () => erased };
}
const listedMark = '#TO#';

/** An address that ends a key stands behind the first `#`, which an address may hold as well. */
function renamedKey(sk: string, names: Renaming): string {
  const end = sk.indexOf('#') + 1;
  return end > 0 && names.isAddress(sk.slice(end)) ? `${sk.slice(0, end)}${names.renamed(sk.slice(end))}` : sk;
}

async function chunkHolding(item: Item, names: Renaming): Promise<Holding | null> {
  const emails = await unpack<string[]>(item.body as Uint8Array);
  const renamed = names.renamed(emails) as string[];
  if (renamed === emails) return null;
  return { kind: 'chunk', item, erased: async () => ({ ...item, body: await pack(renamed) }) };
}
