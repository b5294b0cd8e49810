/** Letters, digits and hyphens, at most 63 (RFC 1123 section 2.1), and the underscore, which DNS has names with. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const maxNameLength = 253;

/** The host of a URL without the brackets of IPv6 and without the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * True for an address, and for a name that DNS can hold: URL parsers also take `.com`, `a..com` and `a(b).com`. The host
 * is in the form in which they give it, lower-case and punycode: of hosts only an IPv6 address has a colon there (WHATWG
 * URL, "host serializing"), and one of IPv4 is like a name.
 */
export function isPossibleHost(host: string): boolean {
  return host.includes(':') || (host.length <= maxNameLength && host.split('.').every((part) => label.test(part)));
}
