import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What is global unicast by its range alone and still must not be reached: everything outside 2000::/3, which is all
 * that IANA has given out for IPv6, IPv4-compatible addresses (`::7f00:1`) among it.
 */
export const deniedRanges = ['::/3', '4000::/2', '8000::/1'] as const;
export const loopbackRanges = ['127.0.0.0/8', '::1/128'] as const;

/**
 * True for the text of an IPv4 or IPv6 address that is on the public Internet: not private, loopback, link-local
 * (169.254.169.254 and its like), unique local, carrier-grade NAT, mapped, NAT64, 6to4, Teredo, reserved, multicast,
 * documentation or benchmarking (the IANA special-purpose registries, RFC 6890). Octal and other spellings are none.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  return !deniedRanges.some((range) => isWithin(address, range));
}

export function isLoopbackAddress(text: string): boolean {
  const address = parse(text);
  return address !== null && loopbackRanges.some((range) => isWithin(address, range));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `ipaddr.js` reads 0177.1 as an address; what Node calls one is never ambiguous. A zone (`%eth0`) is never public. */
function parse(text: string): Address | null {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : null;
}

function isWithin(address: Address, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}
