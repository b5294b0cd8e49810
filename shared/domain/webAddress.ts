import { domainToASCII } from 'node:url';
import { type Text, textsOf } from '../language/text.ts';

/** Letters, digits and hyphens, at most 63 (RFC 1123 section 2.1), and underscores, which DNS names may have. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const maxNameLength = 253;

/** The host of a URL without the brackets of IPv6 and without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * True for an IP address and for a name that DNS can hold: URL parsers accept `.com`, `a..com` and `a(b).com` as well.
 * Expects a host as a URL parser returns it (lower-case, punycode), where only IPv6 has a colon.
 */
export function isPossibleHost(host: string): boolean {
  return host.includes(':') || (host.length <= maxNameLength && host.split('.').every((part) => label.test(part)));
}

const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const asciiOutsideDomains = /[^a-z0-9.-]/i;

/**
 * A mail domain in ASCII: lower-case, IDN labels as punycode; null when it is invalid. Labels are letters, digits and
 * hyphens (RFC 1123), 63 octets each, 253 in all; the last one is not all digits. A single label is accepted.
 */
export function toAsciiDomain(text: string): string | null {
  const domain = toAscii(text);
  if (domain === null || domain.length > maxNameLength) return null;
  const labels = domain.split('.');
  if (!labels.every((part) => domainLabel.test(part))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : domain;
}

/**
 * `domainToASCII` reads its argument as the host of a URL: it decodes %41, stops at a slash and turns 0x7f.1 into an IP
 * address. So it only gets text whose ASCII characters are letters, digits, hyphens and dots.
 */
function toAscii(text: string): string | null {
  const ascii = Array.from(text, (character) => (character <= '\x7f' ? character : '')).join('');
  if (asciiOutsideDomains.test(ascii)) return null;
  return ascii === text ? text.toLowerCase() : domainToASCII(text.toLowerCase());
}

/** The schemes that a link may have. */
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

const texts = textsOf({
  scheme: {
    en: 'a link must start with https://, http://, mailto: or tel:',
    fr: 'un lien doit commencer par https://, http://, mailto: ou tel:',
  },
  malformed: { en: 'is not a complete link address', fr: 'n’est pas une adresse de lien complète' },
  merge: {
    en: 'a link must not contain a merge field',
    fr: 'un lien ne doit pas contenir de champ de fusion',
  },
});

export type LinkTarget = { readonly ok: true; readonly href: string } | { readonly ok: false; readonly problem: Text };

/**
 * A link address in the form in which it is sent and counted: normalised as a WHATWG URL, with braces and quotes
 * percent-encoded, so that nothing in it has a meaning in HTML or in a template of SES.
 */
export function readLinkTarget(text: string): LinkTarget {
  const trimmed = text.trim();
  if (/\{\{|\}\}/.test(trimmed)) return { ok: false, problem: texts.merge };
  if (/[\p{Cc}\s]/u.test(trimmed)) return { ok: false, problem: texts.malformed };
  const url = URL.parse(trimmed);
  if (!url) return { ok: false, problem: /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? texts.malformed : texts.scheme };
  if (!schemes.has(url.protocol)) return { ok: false, problem: texts.scheme };
  if (url.protocol.startsWith('http') && !url.hostname.includes('.') && url.hostname !== 'localhost') {
    return { ok: false, problem: texts.malformed };
  }
  return { ok: true, href: encoded(url.href) };
}

/** The address of an image: http or https only. */
export function readImageSource(text: string): LinkTarget {
  const target = readLinkTarget(text);
  if (!target.ok || /^https?:/.test(target.href)) return target;
  return { ok: false, problem: texts.scheme };
}

const encoded = (href: string): string =>
  href.replace(/[{}\\'"<>`]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
