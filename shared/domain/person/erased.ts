import { createHmac } from 'node:crypto';
import { addressKey, canonicalAddress, readMailbox } from '../address.ts';

const hashCharacters = 40;
const aliasPattern = new RegExp(`^erased-([0-9a-f]{${hashCharacters}})@erased\\.invalid$`);

/** The salted hash of an erased address (canonical form). For an alias, the hash that it contains. */
export function addressHash(salt: string, address: string): string {
  const known = aliasPattern.exec(address)?.[1];
  return known ?? createHmac('sha256', salt).update(address).digest('hex').slice(0, hashCharacters);
}

/** The alias of an erased person: an address that cannot exist (RFC 2606, `.invalid`). */
export const aliasOf = (hash: string): string => `erased-${hash}@erased.invalid`;

export const isAlias = (address: string): boolean => aliasPattern.test(address);

/** A person in a log that holds no personal data, erased or not: by the hash of their address. */
export const pseudonymOf = (hash: string): string => `person:${hash}`;

const pseudonymPattern = new RegExp(`^person:([0-9a-f]{${hashCharacters}})$`);

/** The hash in a pseudonym or an alias; null for any other text. */
export const hashOfPseudonym = (text: string): string | null =>
  (pseudonymPattern.exec(text) ?? aliasPattern.exec(text))?.[1] ?? null;

/** Finds a person's address in stored values and replaces it by their alias. */
export interface AddressReplacer {
  /** True for the address in any spelling, with or without a display name. */
  isAddress(text: string): boolean;
  /** True when the value contains the address. */
  isIn(value: unknown): boolean;
  /** The value with the alias; the same object when it does not contain the address. */
  replaced(value: unknown): unknown;
}

/** `address` in canonical form. */
export function addressReplacer(address: string, alias: string): AddressReplacer {
  const anywhere = new RegExp(`(?<![${inLocalPart}])${escaped(address)}(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`, 'gi');
  const isAddress = (text: string): boolean => {
    if (!text.includes('@') || text.length > longestEntry) return false;
    const parsed = readMailbox(text);
    return parsed.ok && addressKey(parsed.mailbox.address) === address;
  };
  const ofText = (text: string): string => {
    if (isAddress(text)) return alias;
    const replaced = text.includes('@') ? text.replace(anywhere, alias) : text;
    return replaced.includes('://') ? replaced.replace(link, (url) => withoutAddress(url, address)) : replaced;
  };
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    if (value instanceof Set) return same(value, [...value], (items) => new Set(items));
    if (Array.isArray(value)) return same(value, value, (items) => items);
    const entries = Object.entries(value).map(([name, one]) => [name, one, replaced(one)] as const);
    if (entries.every(([, before, after]) => before === after)) return value;
    return Object.fromEntries(entries.map(([name, , after]) => [name, after]));
  };
  const same = (whole: unknown, items: readonly unknown[], make: (items: unknown[]) => unknown): unknown => {
    const after = items.map(replaced);
    return after.every((one, index) => one === items[index]) ? whole : make(after);
  };
  return { isAddress, isIn: (value) => replaced(value) !== value, replaced };
}

const link = /https?:\/\/[^\s"'<>\\]+/gi;

/**
 * A link that contains the address, plain or percent-encoded, is replaced by the root of its site: any part of it may
 * be personal.
 */
function withoutAddress(url: string, address: string): string {
  const plain = decoded(url).toLowerCase();
  // In a link, `=` and similar characters separate; only these characters make the address a part of a longer one.
  const isIn = new RegExp(`(?<![a-z0-9._%+-])${escaped(address)}(?![a-z0-9-]|\\.[a-z0-9])`).test(plain);
  return isIn && URL.canParse(url) ? siteOfLink(url) : url;
}

/**
 * The addresses that a link may contain, in canonical form: what precedes an @ can be a part of the link as well as of
 * the address, so it is read from each separator on.
 */
export function addressesInLink(url: string): string[] {
  const entries = decoded(url).match(addressInText) ?? [];
  const readings = entries.flatMap((entry) =>
    [...entry.matchAll(startInLink)].map(({ index }) => canonicalAddress(entry.slice(index))),
  );
  return [...new Set(readings.filter((address) => address !== null))];
}

/** The root of a link's site. */
export const siteOfLink = (url: string): string => (URL.canParse(url) ? `${new URL(url).origin}/` : '');

/** Decoded twice, since links are nested in links. */
const decoded = (url: string): string => decodedOnce(decodedOnce(url));

/** Invalid percent-encodings are left unchanged. */
export const decodedOnce = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, decodedPart);

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** In UTF-16 units: a mailbox has at most 320 characters. */
const longestEntry = 640;
/** Characters that, before an address, make it part of a longer one (RFC 5322, `dot-atom`). */
const inLocalPart = "A-Za-z0-9!#$%&'*+/=?^_`{|}~.\\-";

const addressInText = new RegExp(`[${inLocalPart}]+@(?:[a-z0-9-]+\\.)+[a-z][a-z0-9-]*`, 'gi');
/** Where an address can begin: at the start, or after a character that separates in a link. */
const startInLink = /(?<![a-z0-9._%+-])(?=[^@])/gi;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
