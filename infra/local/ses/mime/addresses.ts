import addressparser from 'nodemailer/lib/addressparser';
import { badRequest } from '../errors.ts';

export interface ParsedMailbox {
  readonly name: string;
  readonly address: string;
}

/** The text after the last @, or all of it without one. */
export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** The mailboxes of an address field, those in groups included. A bare address, the usual case, needs no parser. */
export function parseMailboxes(text: string): ParsedMailbox[] {
  return /^[\w.+-]+@[\w.-]+$/.test(text) ? [{ name: '', address: text }] : addressparser(text, { flatten: true });
}

/** The address in `address` or `Name <address>`. Throws SES's error for an address that it cannot use. */
export function requireAddress(text: string): string {
  const [mailbox, ...others] = parseMailboxes(text);
  if (!mailbox || others.length > 0) throw badRequest(`Illegal address: expected one address, got ${quote(text)}.`);
  const problem = addressProblem(mailbox.address);
  if (problem) throw badRequest(problem);
  return mailbox.address;
}

/** SES does not support SMTPUTF8: local parts are ASCII, domains are ASCII or punycode. */
function addressProblem(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 0) return "Missing final '@domain'.";
  if (at === 0) return 'Missing local part.';
  if (!/^[\x21-\x7e]+$/.test(address.slice(0, at))) return 'Local address contains control or whitespace.';
  if (!/^[A-Za-z0-9.-]+$/.test(domain)) return 'Domain contains illegal character.';
  if (domain.startsWith('.') || domain.includes('..')) return 'Domain contains dot-dot.';
  if (domain.endsWith('.')) return 'Domain ends with dot.';
  if (!domain.includes('.')) return 'Domain contains no dot.';
  return address.length > 320 ? 'Address is longer than 320 characters.' : null;
}

const quote = (text: string) => JSON.stringify(text.slice(0, 100));
