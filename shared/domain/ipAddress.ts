import ipaddr from 'ipaddr.js';

/** All global unicast addresses of IPv6. The library's range `unicast` would include `::7f00:1`. */
const globalIpv6 = '2000::/3';
const loopbackRanges = ['127.0.0.0/8', '::1/128'];

/**
 * True for an IP address on the public Internet: not private, loopback, link-local (169.254.169.254), unique local,
 * carrier-grade NAT, mapped, NAT64, 6to4, Teredo, reserved, multicast, documentation or benchmarking (RFC 6890 and the
 * IANA special-purpose registries). Octal and other unusual spellings are no addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isWithin(address, globalIpv6);
}

/** True for an IP address in an unambiguous spelling. */
export function isIpAddress(text: string): boolean {
  return parse(text) !== null;
}

export function isLoopbackAddress(text: string): boolean {
  const address = parse(text);
  return address !== null && loopbackRanges.some((range) => isWithin(address, range));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Without the spellings 0177.1 and 2130706433, which resolvers read differently, and without IPv6 zones. */
function parse(text: string): Address | null {
  const { IPv4, IPv6 } = ipaddr;
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text);
  return IPv6.isValid(text) && !text.includes('%') ? IPv6.parse(text) : null;
}

function isWithin(address: Address, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The key by which requests from a network address are counted: IPv4 itself; of IPv6 the /64, which one household has. */
export function networkSource(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
