import { domainToASCII } from 'node:url';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const asciiOutsideDomains = /[^a-z0-9.-]/i;
const maximumLength = 253;

/**
 * The ASCII form of a mail domain, lower-case, IDN labels as punycode; null when it is none.
 * Labels are letters, digits and hyphens (RFC 1123), 63 octets each, 253 in all; the last one is never all digits.
 * A domain of one label passes: whether it needs a dot is for the caller to say.
 */
export function toAsciiDomain(text: string): string | null {
  const domain = toAscii(text);
  if (domain === null || domain.length > maximumLength) return null;
  const labels = domain.split('.');
  if (!labels.every((part) => label.test(part))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : domain;
}

/**
 * `domainToASCII` reads its argument as the host of a URL: it decodes %41, stops at a slash and turns 0x7f.1 into an
 * address. So it only ever sees text whose ASCII part is already letters, digits, hyphens and dots.
 */
function toAscii(text: string): string | null {
  const ascii = Array.from(text, (character) => (character <= '\x7f' ? character : '')).join('');
  if (asciiOutsideDomains.test(ascii)) return null;
  return ascii === text ? text.toLowerCase() : domainToASCII(text.toLowerCase());
}
