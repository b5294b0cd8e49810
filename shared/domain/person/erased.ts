import { createHmac } from 'node:crypto';
import { addressKey, parseMailbox } from '../address/address.ts';

const hashCharacters = 40;
const aliasPattern = new RegExp(`^erased-([0-9a-f]{${hashCharacters}})@erased\\.invalid$`);

/** What stands for an address (canonical form) that was erased; that of an alias is the one it was made of. */
export function addressHash(salt: string, address: string): string {
  const known = aliasPattern.exec(address)?.[1];
  return known ?? createHmac('sha256', salt).update(address).digest('hex').slice(0, hashCharacters);
}

/** What an erased person is called from then on: an address that nobody can have (RFC 2606, `.invalid`). */
export const aliasOf = (hash: string): string => `erased-${hash}@erased.invalid`;

export const isAlias = (address: string): boolean => aliasPattern.test(address);

/** Finds somebody's address in what is stored, and puts their alias in its place. */
export interface Renaming {
  /** True for the address itself, with or without a display name, however it is written. */
  isAddress(text: string): boolean;
  /** True when the address stands anywhere in it. */
  isIn(value: unknown): boolean;
  /** The same value with the alias; the very value when the address is not in it. */
  renamed(value: unknown): unknown;
}

/** `address` in canonical form. */
export function renamingOf(address: string, alias: string): Renaming {
  const anywhere = new RegExp(`(?<![${inLocalPart}])${escaped(address)}(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`, 'gi');
  const isAddress = (text: string): boolean => {
    if (!text.includes('@') || text.length > longestEntry) return false;
    const parsed = parseMailbox(text);
    return parsed.ok && addressKey(parsed.mailbox.address) === address;
  };
  const ofText = (text: string): string => {
    if (isAddress(text)) return alias;
    return text.includes('@') ? text.replace(anywhere, alias) : text;
  };
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    if (value instanceof Set) return same(value, [...value], (items) => new Set(items));
    if (Array.isArray(value)) return same(value, value, (items) => items);
    const entries = Object.entries(value).map(([name, one]) => [name, one, renamed(one)] as const);
    if (entries.every(([, before, after]) => before === after)) return value;
    return Object.fromEntries(entries.map(([name, , after]) => [name, after]));
  };
  const same = (whole: unknown, items: readonly unknown[], make: (items: unknown[]) => unknown): unknown => {
    const after = items.map(renamed);
    return after.every((one, index) => one === items[index]) ? whole : make(after);
  };
  return { isAddress, isIn: (value) => renamed(value) !== value, renamed };
}

/** A mailbox has at most 320 characters, some of them of two units. */
const longestEntry = 640;
/** What may stand before an address and still belong to it (RFC 5322, `dot-atom`). */
const inLocalPart = "A-Za-z0-9!#$%&'*+/=?^_`{|}~.\\-";

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
