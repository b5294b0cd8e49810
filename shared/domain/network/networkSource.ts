import ipaddr from 'ipaddr.js';

/** Whom a network address is counted as: IPv4 by itself, IPv6 by its /64, since one household has that many. */
export function networkSource(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
