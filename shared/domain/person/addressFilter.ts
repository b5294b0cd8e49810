import { createHash } from 'node:crypto';
import { addressKey, readMailbox } from '../address.ts';
import { decodedOnce } from './erased.ts';

/**
 * What a file of copied emails contains, for deciding without reading it whether it may contain something: a Bloom
 * filter of recipients, tags, and every other address. It never misses one that is there; of others one in 300 is found.
 */

const bitsPerElement = 12;
const probes = 8;

/** The elements of a filter. An address that is a recipient of an email is one as `recipient` alone. */
export type FilterElement = `${'recipient' | 'tag' | 'address'}:${string}`;

export function filterOf(elements: ReadonlySet<FilterElement>): Uint8Array {
  const bits = new Uint8Array(Math.max(8, Math.ceil((elements.size * bitsPerElement) / 8)));
  for (const element of elements)
    for (const place of placesOf(element, bits)) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits;
}

export const mayContain = (filter: Uint8Array, element: FilterElement): boolean =>
  placesOf(element, filter).every((place) => ((filter[place >> 3] ?? 0) & (1 << (place & 7))) !== 0);

/** The positions of an element's bits, by two hashes (Kirsch and Mitzenmacher, "Less Hashing, Same Performance"). */
function placesOf(element: FilterElement, filter: Uint8Array): number[] {
  const hash = createHash('sha256').update(element).digest();
  const [one, other] = [hash.readUInt32BE(0), (hash.readUInt32BE(4) | 1) >>> 0];
  return Array.from({ length: probes }, (_, index) => (one + index * other) % (filter.length * 8));
}

/**
 * Every address that `addressReplacer` could find in a value, in canonical form, and more. It cannot name an address
 * whose local part has other characters than `isFilterable` allows.
 */
export function addressesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') addTo(found, value);
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const one of value instanceof Set || Array.isArray(value) ? value : Object.values(value)) {
      addressesIn(one, found);
    }
  }
  return found;
}

function addTo(found: Set<string>, text: string): void {
  if (!/[@%]/.test(text)) return;
  const parsed = readMailbox(text);
  if (parsed.ok) found.add(addressKey(parsed.mailbox.address));
  const once = decodedOnce(text);
  for (const reading of new Set([text, once, decodedOnce(once)])) {
    for (const [, before = '', domain = ''] of reading.toLowerCase().matchAll(addressLike)) {
      for (const { index } of before.matchAll(start)) found.add(`${before.slice(index)}@${domain}`);
    }
  }
}

const local = "a-z0-9!#$%&'*+/=?^_`{|}~.\\-";
/** The longest run of a local part's characters before an `@`, and the domain after it. */
const addressLike = new RegExp(`([${local}]+)@(?=([a-z0-9-]+(?:\\.[a-z0-9][a-z0-9-]*)*))`, 'g');
/** Where an address can begin in such a run: at its start, and in a link after what separates there. */
const start = /(?<![a-z0-9._%+-])(?=.)/g;
const filterable = new RegExp(`^[${local}]+@[a-z0-9-]+(?:\\.[a-z0-9][a-z0-9-]*)*$`);

/** Whether `addressesIn` names this address wherever it stands; of others, every file must be read. */
export const isFilterable = (address: string): boolean => filterable.test(address);
