import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { addressKey } from '../../../domain/address.ts';
import { addressesIn, type FilterElement, filterOf, isFilterable } from '../../../domain/person/addressFilter.ts';
import type { EmailTrait } from '../../../domain/sending/email.ts';
import { acceptedOf, isEmailItem } from '../../emails/email.ts';
import { getTaggedFile } from '../../files/bucket.ts';
import { type Item, itemOfJson, jsonOfItem } from '../../table/table.ts';
import { type ArchivePart, fileOfPart, type PartContent } from '../parts.ts';

/** The items of a copied email: its own and those of its outcomes, as they were in the table. */
export interface CopiedEmail {
  /** Its position in the list of all emails. */
  readonly position: string;
  readonly items: readonly Item[];
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** A tenth smaller than the next lower one, for 60 ms of a processor a part. */
const quality = 6;

/** A line for each email: its position, a tab, its items in DynamoDB's JSON. */
export async function bytesOfPart(emails: readonly CopiedEmail[]): Promise<Buffer> {
  const lines = emails.map(({ position, items }) => `${position}\t${JSON.stringify(items.map(jsonOfItem))}`);
  const text = Buffer.from(lines.join('\n'));
  return compress(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  });
}

export interface PartFile {
  readonly etag: string;
  readonly bytes: number;
  /** Oldest first. */
  readonly lines: readonly PartLine[];
}

/** An email that is parsed when it is asked for. */
export class PartLine {
  readonly position: string;
  readonly #json: string;

  constructor(line: string) {
    const tab = line.indexOf('\t');
    this.position = line.slice(0, tab);
    this.#json = line.slice(tab + 1);
  }

  email(): CopiedEmail {
    return { position: this.position, items: (JSON.parse(this.#json) as object[]).map(itemOfJson) };
  }

  /** False only if the email has not got this trait. */
  mayHave({ kind, value }: EmailTrait): boolean {
    if (kind !== 'recipient' || !isFilterable(value)) return true;
    const text = this.#json.toLowerCase();
    // A quoted local part is an address of several spellings.
    return text.includes(value) || text.includes('\\"@');
  }
}

/** Throws when the file is missing: the part says that it is there. */
export async function readPart(part: Pick<ArchivePart, 'workspaceId' | 'first'>): Promise<PartFile> {
  const file = await findPartFile(part);
  if (!file) throw new Error(`The bucket has no file of copied emails from ${part.first} on.`);
  return file;
}

export async function findPartFile(part: Pick<ArchivePart, 'workspaceId' | 'first'>): Promise<PartFile | null> {
  const file = await getTaggedFile(fileOfPart(part));
  return file && { etag: file.etag, bytes: file.bytes.length, lines: await linesOf(file.bytes) };
}

export async function linesOf(bytes: Uint8Array): Promise<PartLine[]> {
  const text = (await decompress(bytes)).toString('utf8');
  return text === '' ? [] : text.split('\n').map((line) => new PartLine(line));
}

const ownItemOf = ({ items }: CopiedEmail): Item => items.find(isEmailItem) ?? {};

/** Unix seconds; 0 for an email that should not have been copied. */
export const keptUntilOf = (email: CopiedEmail): number => Number(ownItemOf(email).kept_until ?? 0);

export function hasTrait(email: CopiedEmail, { kind, value }: EmailTrait): boolean {
  return traitsOf(email).has(`${kind === 'status' ? 'tag' : kind}:${value}`);
}

/** The lists that an email is in: by the recipients of what was accepted, and by its tags. */
function traitsOf(email: CopiedEmail): Set<FilterElement> {
  const { email: own, messageIds } = acceptedOf(ownItemOf(email));
  const addresses = own.envelopes.filter((_, index) => messageIds[index]).flat();
  return new Set([
    ...addresses.map((address): FilterElement => `recipient:${addressKey(address)}`),
    ...own.tags.map(({ name, value }): FilterElement => `tag:${name}:${value}`),
  ]);
}

/** What a part says of a file with these emails. */
export function contentOf(
  emails: readonly CopiedEmail[],
  { etag, bytes }: { readonly etag: string; readonly bytes: number },
): PartContent {
  const elements = new Set(emails.flatMap((email) => [...traitsOf(email)]));
  for (const address of addressesIn(emails.map(({ items }) => items))) {
    if (!elements.has(`recipient:${address}`)) elements.add(`address:${address}`);
  }
  return {
    ...{ emails: emails.length, bytes, etag, filter: filterOf(elements) },
    keptUntil: Math.max(0, ...emails.map(keptUntilOf)),
  };
}
