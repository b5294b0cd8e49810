import { timeOfId } from '../../../domain/identifier.ts';
import { type FilterElement, mayContain } from '../../../domain/person/addressFilter.ts';
import type { EmailTrait } from '../../../domain/sending/email.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { positionOf } from '../../emails/email.ts';
import { type PositionRange, sortOf } from '../../table/positions.ts';
import { type Item, idOfPosition } from '../../table/table.ts';
import { type ArchivePart, pagesOfParts, partAt } from '../parts.ts';
import { type CopiedEmail, hasTrait, keptUntilOf, type PartFile, readPart } from './partFile.ts';

/** What one page may read: files, their bytes (ten times as many unpacked), and pages of a megabyte of the table. */
const mostFiles = 40;
const mostBytes = 4_000_000;
const mostPages = 3;
const filesAtOnce = 8;

/** The items of a copied email; null when there is no copy (any more). */
export async function copiedEmail(workspaceId: string, emailId: string, now: Date): Promise<readonly Item[] | null> {
  const position = positionOf({ createdAt: timeOfId(emailId).toISOString(), id: emailId });
  const part = await partAt(workspaceId, position);
  if (!part || !isReadable(part, now)) return null;
  const line = (await readPart(part)).lines.find((one) => one.position === position);
  const email = line?.email();
  return email && isKept(email, now) ? email.items : null;
}

/** The file of a part that has expired may be deleted already. */
const isReadable = ({ state, keptUntil }: ArchivePart, now: Date): boolean =>
  state === 'kept' && keptUntil > epochSeconds(now);

const isKept = (email: CopiedEmail, now: Date): boolean => keptUntilOf(email) > epochSeconds(now);

/** Copied emails of a list, newest first; `next` is where to go on, if there may be more. */
export interface CopiedPage {
  readonly emails: readonly CopiedEmail[];
  readonly next: string | null;
}

/**
 * A page of the copied emails with a trait, or of all. It reads a limited number of files, so it may be short or empty
 * while more follows.
 */
export async function pageOfCopies(
  workspaceId: string,
  { trait, limit, ...range }: PositionRange & { readonly trait?: EmailTrait | undefined },
  now: Date,
): Promise<CopiedPage> {
  const bounds = sortOf(range);
  if (!bounds) return { emails: [], next: null };
  const search = new Search({ limit, ...bounds, trait, now });
  let pages = 0;
  for await (const parts of pagesOfParts(workspaceId, { upTo: bounds.to, order: 'descending' })) {
    pages += 1;
    const next = await search.through(parts);
    if (next !== undefined) return { emails: search.emails, next };
    if (pages === mostPages) return { emails: search.emails, next: parts.at(-1)?.first ?? null };
  }
  return { emails: search.emails, next: null };
}

interface Wanted {
  readonly limit: number;
  readonly from: string;
  readonly to: string;
  readonly trait: EmailTrait | undefined;
  readonly now: Date;
}

class Search {
  readonly #found: CopiedEmail[] = [];
  readonly #wanted: Wanted;
  #files = 0;
  #bytes = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  get emails(): readonly CopiedEmail[] {
    return this.#found.slice(0, this.#wanted.limit);
  }

  /**
   * Looks through parts, newest first. When the page ends with them: where the next one begins, null if nothing older is
   * asked for.
   */
  async through(parts: readonly ArchivePart[]): Promise<string | null | undefined> {
    const { from, limit, trait, now } = this.#wanted;
    const inRange = parts.filter(({ last }) => last >= from);
    const open = inRange.filter((part) => isReadable(part, now) && mayHold(part, trait));
    while (open.length > 0) {
      const some = this.#affordable(open);
      // Everything above this part was looked at.
      if (some.length === 0) return `${open[0]?.last}~`;
      for (const file of await inParallel(filesAtOnce, some, readPart)) this.#take(file);
      if (this.#found.length > limit) return this.emails.at(-1)?.position ?? null;
      open.splice(0, some.length);
    }
    return inRange.length < parts.length ? null : undefined;
  }

  /** As many of these parts as are needed to fill the page, and as may be read. */
  #affordable(parts: readonly ArchivePart[]): ArchivePart[] {
    const { limit, trait } = this.#wanted;
    const some: ArchivePart[] = [];
    let expected = this.#found.length;
    for (const part of parts) {
      const isEnough = some.length >= filesAtOnce || (!trait && expected > limit);
      const isTooMuch = this.#files >= mostFiles || (this.#files > 0 && this.#bytes + part.bytes > mostBytes);
      if (isEnough || isTooMuch) break;
      some.push(part);
      expected += part.emails;
      this.#files += 1;
      this.#bytes += part.bytes;
    }
    return some;
  }

  #take({ lines }: PartFile): void {
    const { from, to, limit, trait, now } = this.#wanted;
    for (const line of lines.toReversed()) {
      if (this.#found.length > limit) return;
      if (line.position < from || line.position > to) continue;
      if (trait && !line.mayHave(trait)) continue;
      const email = line.email();
      if (isKept(email, now) && (!trait || hasTrait(email, trait))) this.#found.push(email);
    }
  }
}

/** Whether a part may hold emails with a trait. Emails of a status are listed in the table. */
function mayHold({ filter }: ArchivePart, trait: EmailTrait | undefined): boolean {
  if (!trait) return true;
  const element: FilterElement = `${trait.kind === 'recipient' ? 'recipient' : 'tag'}:${trait.value}`;
  return mayContain(filter, element);
}

/**
 * The copies of emails at these positions, newest first, by id; of as many as one page may read. `upTo`: the last
 * position that was looked at, null when all were.
 */
export async function copiesAt(
  workspaceId: string,
  positions: readonly string[],
  now: Date,
): Promise<{ readonly found: ReadonlyMap<string, readonly Item[]>; readonly upTo: string | null }> {
  const found = new Map<string, readonly Item[]>();
  let [files, bytes] = [0, 0];
  let open: ArchivePart | null = null;
  let file: PartFile | null = null;
  let before: string | null = null;
  for (const position of positions) {
    if (!open || position < open.first) {
      open = await partAt(workspaceId, position);
      file = null;
    }
    const isHeld = open !== null && isReadable(open, now) && open.first <= position && position <= open.last;
    if (open && isHeld && !file) {
      if (before !== null && (files >= mostFiles || bytes + open.bytes > mostBytes)) return { found, upTo: before };
      file = await readPart(open);
      files += 1;
      bytes += open.bytes;
    }
    const email = isHeld ? file?.lines.find((line) => line.position === position)?.email() : undefined;
    if (email && isKept(email, now)) found.set(idOfPosition(position), email.items);
    before = position;
  }
  return { found, upTo: null };
}
