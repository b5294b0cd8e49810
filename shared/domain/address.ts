import type { Text } from '../language/text.ts';
import { characterCount } from './encoding.ts';
import { toAsciiDomain } from './webAddress.ts';

const quotedString = /"(?:[^"\\]|\\.)*"/gu;
const plainPhrase = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ \P{ASCII}-]*$/u;

type DisplayNameProblem =
  | 'several_addresses'
  | 'display_name_invalid'
  | 'display_name_holds_address'
  | 'hidden_character';

/**
 * The name that a phrase represents (RFC 5322): quoted strings without their quotes, everything else unchanged. Null
 * for none.
 */
function readPhrase(phrase: string): string | null {
  const name = phrase.trim().replace(quotedString, unescapeQuoted).trim();
  return name === '' ? null : name;
}

/** A name as a phrase (RFC 5322), quoted where needed. Non-ASCII names stay as they are; the MIME writer encodes them. */
function phraseOf(name: string): string {
  // Mail clients would decode an encoded word in an unquoted name.
  const isPlain = plainPhrase.test(name) && !name.includes('=?') && name === name.trim();
  return isPlain ? name : quote(name);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function unescapeQuoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gu, '$1');
}

/**
 * Characters without width or that change the text direction; not variation selectors, joiners and tags, which have
 * legitimate uses.
 */
const hidden =
  /[\p{Bidi_Control}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u{e0020}-\u{e007f}]|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/u;
/**
 * A joiner at the start, or after a letter of a script that needs none: only other scripts and emoji are spelled with
 * joiners.
 */
const strayJoiner = /(?:^|[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u200c\u200d])[\u200c\u200d]/u;
/** A tag that does not belong to a flag. */
const strayTag = /(?:^|[^\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0020}-\u{e007f}]/u;

/** Whether a text contains characters that readers cannot see: `\u202e` shows a name backwards. */
const hasHiddenCharacter = (text: string): boolean =>
  hidden.test(text) || strayJoiner.test(text) || strayTag.test(text);

const word = /[^\s<>(),;:[\]]+/gu;
const addressLike = /[^@]@[^@]+\.[^@]/u;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * Why a mailbox must not have this name; null if it may. Readers take an address in a name for the sender's, and an
 * address before a comma or semicolon makes a list. `isOwn` recognises the mailbox's own address in any spelling.
 */
function displayNameProblem(name: string, isOwn: (text: string) => boolean): DisplayNameProblem | null {
  if (!name.isWellFormed()) return 'display_name_invalid';
  const shown = asShown(name);
  const addresses = [...shown.matchAll(word)].filter(([text]) => addressLike.test(text));
  const isList = addresses.some(({ 0: text, index }) => /^>?\s*[,;]/u.test(shown.slice(index + text.length)));
  if (isList) return 'several_addresses';
  const isOther = ([text]: RegExpExecArray) => !isOwn(text) && !isOwn(text.replace(edges, ''));
  if (addresses.some(isOther)) return 'display_name_holds_address';
  return hasHiddenCharacter(name) ? 'hidden_character' : null;
}

/**
 * The name as readers see it: without invisible characters, and with wide forms of @, the dot and brackets replaced by
 * the usual ones.
 */
function asShown(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll('\u3002', '.');
}

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
  | 'hidden_character'
  | 'no_at'
  | 'several_addresses'
  | 'comment'
  | 'display_name_invalid'
  | 'display_name_holds_address'
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

/** The bounds of an entry, including a display name, in characters. */
export const entryLength = { minimum: 3, maximum: 320 } as const;
/** RFC 5321, 4.5.3.1: a path is at most 256 octets with its angle brackets. */
export const maxAddressLength = 254;
const maximumLocalPartLength = 64;

const controlCharacter = /\p{Cc}/u;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`);
const quotedLocalPart = /^"(?:[ !#-[\]-~]|\\[ -~])+"$/;
/** A name, and an address whose quoted local part may hold any character. Otherwise the last `<` opens the address. */
const quotedEntry = /^(.*?)<\s*("(?:[^"\\]|\\.)*"@[^<>"]*)>$/su;
const entry = /^(.*)<([^<]*)>$/su;

/**
 * Reads `address` or `Display Name <address>` (RFC 5322 without comments, groups, address literals, obsolete forms). A
 * name need not be quoted: all that stands before the last `<` is the name.
 */
export function parseMailbox(input: string): MailboxResult {
  const problem = entryProblem(input);
  if (problem) return refuse(problem);
  const result = readMailbox(input);
  if (!result.ok || result.mailbox.name === null) return result;
  const own = addressKey(result.mailbox.address);
  const nameProblem = displayNameProblem(result.mailbox.name, (text) => canonicalAddress(text) === own);
  return nameProblem ? refuse(nameProblem) : result;
}

/** Reads a mailbox that was accepted before, perhaps by earlier rules about names. */
export function readMailbox(input: string): MailboxResult {
  const text = input.trim();
  const [, name = '', spec = text] = quotedEntry.exec(text) ?? entry.exec(text) ?? [];
  const parsed = parseSpec(spec.trim());
  return parsed.ok ? { ok: true, mailbox: { name: readPhrase(name), address: parsed.address } } : parsed;
}

/** Reads an address alone, surrounding spaces ignored. */
export function parseAddress(input: string): AddressResult {
  const problem = entryProblem(input);
  if (problem) return refuse(problem);
  const text = input.trim();
  return text.endsWith('>') ? refuse('display_name_not_allowed') : parseSpec(text);
}

/**
 * The form in which addresses are stored and compared: trimmed, lower-case, with a local part quoted only where needed,
 * so that `"joe"@x.com` becomes `joe@x.com`. Expects a result of `parseAddress`.
 */
export function addressKey(address: string): string {
  const text = address.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (!quotedLocalPart.test(local)) return text;
  const content = unescapeQuoted(local);
  return `${dotAtom.test(content) ? content : quote(content)}${text.slice(at)}`;
}

/** Providers that deliver to the same mailbox with or without dots (Gmail Help, "Dots don't matter"). */
const dotless: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * The address (canonical form) without the parts that its owner can vary: the tag after `+` (RFC 5233), and dots at
 * Gmail. For counting mail to a mailbox; never an address to send to.
 */
export function mailboxOf(address: string): string {
  const domain = domainOf(address);
  const local = address.slice(0, -domain.length - 1);
  const untagged = local.replace(/^([^"+]+)\+.*$/s, '$1');
  return `${dotless.has(domain) ? untagged.replaceAll('.', '') : untagged}@${domain}`;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** `Display Name <address>` (RFC 5322). Non-ASCII names stay as they are; the MIME writer encodes them. */
export function formatMailbox({ name, address }: Mailbox): string {
  return name === null || name === '' ? address : `${phraseOf(name)} <${address}>`;
}

/** Accepts every message (SES Developer Guide, "Using the mailbox simulator"). */
export const simulatorSuccess = 'success@simulator.amazonses.com';

/** True for SES's mailbox simulator, which does not count in the sending reputation. */
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

/** An addr-spec (RFC 5321). It is divided at the last @, since a quoted local part can hold one as well. */
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
  // RFC 5321 allows a space, but SES refuses it: "Local address contains control or whitespace".
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

function refuse(problem: AddressProblem): Refusal {
  return { ok: false, problem };
}

function indexOutsideQuotes(text: string, character: string): number {
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const current = text[index];
    if (isQuoted && current === '\\') index++;
    else if (current === '"') isQuoted = !isQuoted;
    else if (!isQuoted && current === character) return index;
  }
  return -1;
}

/** An address as it is stored and compared (see `addressKey`); null for an invalid one. */
export function canonicalAddress(text: string): string | null {
  const result = parseAddress(text);
  return result.ok ? addressKey(result.address) : null;
}

/** Texts that continue after the name of the entry: `to[2] has no @`. */
export const addressProblemTexts: Record<AddressProblem, Text> = {
  empty: { en: 'is empty', fr: 'est vide' },
  too_short: { en: 'is shorter than 3 characters', fr: 'fait moins de 3 caractères' },
  too_long: { en: 'is longer than 320 characters', fr: 'fait plus de 320 caractères' },
  control_character: {
    en: 'holds a line break or another control character',
    fr: 'contient un saut de ligne ou un autre caractère de contrôle',
  },
  hidden_character: {
    en: 'has a display name with an invisible character, or one that turns the direction of the text',
    fr: 'a un nom affiché avec un caractère invisible, ou qui inverse le sens du texte',
  },
  no_at: { en: 'has no @', fr: 'ne contient pas de @' },
  several_addresses: {
    en: 'holds several addresses: give each one as its own entry',
    fr: 'contient plusieurs adresses : donnez à chacune sa propre entrée',
  },
  comment: {
    en: 'holds a comment in parentheses, which is not supported',
    fr: 'contient un commentaire entre parenthèses, ce qui n’est pas accepté',
  },
  display_name_invalid: {
    en: 'has a display name that is not valid Unicode',
    fr: 'a un nom affiché qui n’est pas de l’Unicode valide',
  },
  display_name_holds_address: {
    en: 'has a display name that holds another address than its own',
    fr: 'a un nom affiché qui contient une autre adresse que la sienne',
  },
  display_name_not_allowed: {
    en: 'must be an address alone, without a display name or angle brackets',
    fr: 'doit être une adresse seule, sans nom affiché ni chevrons',
  },
  local_part_not_ascii: {
    en: 'has a non-ASCII character before the @, which the sending provider does not support',
    fr: 'a un caractère non ASCII avant le @, ce que le fournisseur d’envoi n’accepte pas',
  },
  local_part_invalid: {
    en: 'has something before the @ that is not valid in an address',
    fr: 'a avant le @ un texte qui n’est pas valide dans une adresse',
  },
  local_part_space: {
    en: 'has a space before the @, which the sending provider does not support, even in quotes',
    fr: 'a une espace avant le @, ce que le fournisseur d’envoi n’accepte pas, même entre guillemets',
  },
  local_part_too_long: {
    en: 'has more than 64 characters before the @',
    fr: 'a plus de 64 caractères avant le @',
  },
  address_literal: {
    en: 'has an IP address in brackets for a domain, which is not supported',
    fr: 'a pour domaine une adresse IP entre crochets, ce qui n’est pas accepté',
  },
  domain_invalid: {
    en: 'has a domain after the @ that is not valid',
    fr: 'a après le @ un domaine qui n’est pas valide',
  },
  domain_needs_dot: {
    en: 'has a domain without a dot',
    fr: 'a un domaine sans point',
  },
  address_too_long: {
    en: 'has an address longer than 254 characters',
    fr: 'a une adresse de plus de 254 caractères',
  },
};
