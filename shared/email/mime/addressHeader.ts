import { encodedWords } from './encodedWords.ts';

export interface MessageAddress {
  readonly name: string | null;
  readonly address: string;
}

const plainName = /^\w+(?: \w+)*$/;
const printableAscii = /^[ -~]*$/;
const plainAddress = /^[\w.+-]+@[\w.-]+$/;

/** The value of an address header (RFC 5322 section 3.4), not folded yet. */
export function addressHeader(mailboxes: readonly MessageAddress[]): string {
  return mailboxes.map(written).join(', ');
}

function written({ name, address }: MessageAddress): string {
  if (name) return `${phrase(name)} <${address}>`;
  return plainAddress.test(address) ? address : `<${address}>`;
}

/**
 * A display name that readers show as it was given. Many decode `=?…?=` even inside quotation marks, where RFC 2047
 * (section 5) forbids it, and would show the name of somebody else: such a name is encoded once more as a whole.
 */
function phrase(name: string): string {
  if (!printableAscii.test(name) || name.includes('=?')) return encodedWords(name);
  return plainName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}
