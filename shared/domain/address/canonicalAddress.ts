import { addressKey, parseAddress } from './address.ts';

/** An address in the form that is stored and compared (trimmed, lower-case, punycode); null when it is none. */
export function canonicalAddress(text: string): string | null {
  const result = parseAddress(text);
  return result.ok ? addressKey(result.address) : null;
}
