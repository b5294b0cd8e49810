import { characterCount } from '../encoding/characterCount.ts';
import { toAsciiDomain } from './domainName.ts';

export interface Mailbox {
  readonly name: string | null;
  /** Local part as given, domain lower-case and punycode. */
  readonly address: string;
}

export type AddressProblem =
  | 'empty'
  | 'too_short'
  | 'too_long'
  | 'control_character'
  | 'no_at'
  | 'several_addresses'
  | 'comment'
  | 'display_name_invalid'
  | 'display_name_not_allowed'
  | 'local_part_not_ascii'
  | 'local_part_invalid'
  | 'local_part_space'
  | 'local_part_too_long'
  | 'address_literal'
  | 'domain_invalid'
  | 'domain_needs_dot'
  | 'address_too_long';

type Refusal = { readonly ok: false; readonly problem: AddressProblem };
export type MailboxResult = { readonly ok: true; readonly mailbox: Mailbox } | Refusal;
export type AddressResult = { readonly ok: true; readonly address: string } | Refusal;

/** Bounds of a whole entry, `Display Name <address>` included, in characters. */
export const entryLength = { minimum: 3, maximum: 320 } as const;
/** RFC 5321, 4.5.3.1: a path is at most 256 octets with its angle brackets. */
export const maxAddressLength = 254;
const maximumLocalPartLength = 64;

const controlCharacter = /\p{Cc}/u;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`);
const quotedLocalPart = /^"(?:[ !#-[\]-~]|\\[ -~])+"$/;
const quotedString = '"(?:[^"\\\\]|\\\\.)*"';
const displayName = new RegExp(`^(?:${quotedString}|[^()<>[\\]:;@\\\\,"])*$`, 'u');
const plainDisplayName = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ \P{ASCII}-]*$/u;

/** Reads `address` or `Display Name <address>` (RFC 5322 without comments, groups, address literals, obsolete forms). */
export function parseMailbox(input: string): MailboxResult {
  const problem = entryProblem(input);
  if (problem) return refuse(problem);
  const text = input.trim();
  const open = text.endsWith('>') ? indexOutsideQuotes(text, '<') : -1;
  if (open === -1) return withName(null, parseSpec(text));
  const name = text.slice(0, open).trim();
  const nameProblem = displayNameProblem(name);
  if (nameProblem) return refuse(nameProblem);
  return withName(unquoteDisplayName(name), parseSpec(text.slice(open + 1, -1).trim()));
}

/** Reads an address alone, surrounding spaces ignored. */
export function parseAddress(input: string): AddressResult {
  const problem = entryProblem(input);
  if (problem) return refuse(problem);
  const text = input.trim();
  return text.endsWith('>') ? refuse('display_name_not_allowed') : parseSpec(text);
}

/**
 * The form in which addresses are compared (suppression, quota, uniqueness): trimmed, lower-case, and a local part
 * quoted only where it must be, so that `"joe"@x.com` is `joe@x.com`. Expects what `parseAddress` returned.
 */
export function addressKey(address: string): string {
  const text = address.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (!quotedLocalPart.test(local)) return text;
  const content = unescapeQuoted(local);
  return `${dotAtom.test(content) ? content : quote(content)}${text.slice(at)}`;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** `Display Name <address>` as RFC 5322 writes it; non-ASCII names stay raw, the MIME writer encodes them. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === null || name === '') return address;
  // An encoded word in an unquoted name would be decoded by the reader's mail client into something else.
  const isPlain = plainDisplayName.test(name) && !name.includes('=?') && name === name.trim();
  return `${isPlain ? name : quote(name)} <${address}>`;
}

/** Takes whatever is sent to it (SES Developer Guide, "Using the mailbox simulator"). */
export const simulatorSuccess = 'success@simulator.amazonses.com';

/** True for SES's mailbox simulator, whose mail counts for no reputation. */
export function isSimulatorAddress(address: string): boolean {
  return domainOf(address).toLowerCase() === 'simulator.amazonses.com';
}

function entryProblem(input: string): AddressProblem | null {
  if (controlCharacter.test(input)) return 'control_character';
  const length = characterCount(input.trim());
  if (length === 0) return 'empty';
  if (length < entryLength.minimum) return 'too_short';
  return length > entryLength.maximum ? 'too_long' : null;
}

/** A comma is read as a list only when a second @ stands beside it: `Doe, Jane <a@b.com>` merely lacks its quotes. */
function displayNameProblem(name: string): AddressProblem | null {
  if (displayName.test(name) && name.isWellFormed()) return null;
  if (indexOutsideQuotes(name, '(') !== -1) return 'comment';
  return name.includes('@') && /[,;]/.test(name) ? 'several_addresses' : 'display_name_invalid';
}

function unquoteDisplayName(name: string): string | null {
  const text = name.replace(new RegExp(quotedString, 'gu'), unescapeQuoted).trim();
  return text === '' ? null : text;
}

/** The addr-spec of RFC 5321: the last @ divides, since a domain cannot hold one and a quoted local part can. */
function parseSpec(spec: string): AddressResult {
  const at = spec.lastIndexOf('@');
  if (at === -1) return refuse('no_at');
  const local = spec.slice(0, at);
  const problem = localPartProblem(local);
  if (problem) return refuse(problem);
  const domain = parseDomain(spec.slice(at + 1));
  if (!domain.ok) return domain;
  const address = `${local}@${domain.domain}`;
  return address.length > maxAddressLength ? refuse('address_too_long') : { ok: true, address };
}

function localPartProblem(local: string): AddressProblem | null {
  const isValid = dotAtom.test(local) || quotedLocalPart.test(local);
  if (isValid && local.length > maximumLocalPartLength) return 'local_part_too_long';
  // RFC 5321 allows it and SES takes none: "Local address contains control or whitespace".
  if (isValid) return local.includes(' ') ? 'local_part_space' : null;
  if (indexOutsideQuotes(local, '(') !== -1) return 'comment';
  if (local.includes('@') && /[,; ]/.test(local)) return 'several_addresses';
  return /\P{ASCII}/u.test(local) ? 'local_part_not_ascii' : 'local_part_invalid';
}

function parseDomain(text: string): { readonly ok: true; readonly domain: string } | Refusal {
  if (text.startsWith('[')) return refuse('address_literal');
  if (text.includes('(')) return refuse('comment');
  const domain = toAsciiDomain(text);
  if (domain === null) return refuse('domain_invalid');
  return domain.includes('.') ? { ok: true, domain } : refuse('domain_needs_dot');
}

function withName(name: string | null, result: AddressResult): MailboxResult {
  return result.ok ? { ok: true, mailbox: { name, address: result.address } } : result;
}

function refuse(problem: AddressProblem): Refusal {
  return { ok: false, problem };
}

function indexOutsideQuotes(text: string, wanted: string): number {
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === wanted) return index;
  }
  return -1;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function unescapeQuoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gu, '$1');
}
