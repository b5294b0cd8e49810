import ipaddr from 'ipaddr.js';

/** All that IANA has given out for IPv6; outside it, `::7f00:1` and more would pass for global unicast. */
const globalIpv6 = '2000::/3';
const loopbackRanges = ['127.0.0.0/8', '::1/128'];

/**
 * True for the text of an IPv4 or IPv6 address that is on the public Internet: not private, loopback, link-local
 * (169.254.169.254 and its like), unique local, carrier-grade NAT, mapped, NAT64, 6to4, Teredo, reserved, multicast,
 * documentation or benchmarking (the IANA special-purpose registries, RFC 6890). Octal and other spellings are none.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isWithin(address, globalIpv6);
}

/** True for an address in its one unambiguous spelling. */
export function isIpAddress(text: string): boolean {
  return parse(text) !== null;
}

export function isLoopbackAddress(text: string): boolean {
  const address = parse(text);
  return address !== null && loopbackRanges.some((range) => isWithin(address, range));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `ipaddr.js` also reads 0177.1 and 2130706433, which resolvers read in more than one way. A zone is never public. */
function parse(text: string): Address | null {
  const { IPv4, IPv6 } = ipaddr;
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text);
  return IPv6.isValid(text) && !text.includes('%') ? IPv6.parse(text) : null;
}

function isWithin(address: Address, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}
