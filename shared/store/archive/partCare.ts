import { timeOfId } from '../../domain/identifier.ts';
import { type FilterElement, isFilterable, mayContain } from '../../domain/person/addressFilter.ts';
import type { AddressReplacer } from '../../domain/person/erased.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { inParallel } from '../../platform/parallel.ts';
import { archiveFiles, deleteFile, listFilesAfter, replaceFile } from '../files/bucket.ts';
import { personalItemOf } from '../personalData/personalItem.ts';
import { bytesOfPart, type CopiedEmail, contentOf, findPartFile, readPart } from './internal/partFile.ts';
import {
  type ArchivePart,
  addPart,
  dropPart,
  fileOfPart,
  interruptPart,
  notePart,
  pagesOfParts,
  rereadPart,
} from './parts.ts';

/** Deletes the files whose emails have all expired; returns their number. */
export async function deleteExpiredParts(workspaceId: string, now: Date): Promise<number> {
  let deleted = 0;
  for await (const parts of pagesOfParts(workspaceId, { isStrong: true })) {
    const expired = parts.filter(({ state, keptUntil }) => state === 'kept' && keptUntil <= epochSeconds(now));
    await inParallel(filesAtOnce, expired, async (part) => {
      // First: only the part leads to its file, and readers leave an expired part alone.
      await deleteFile(fileOfPart(part));
      await dropPart(part);
    });
    deleted += expired.length;
  }
  return deleted;
}

const filesAtOnce = 4;

/**
 * Adds the parts of files that the table does not know: one restored from a point in time lacks what was copied later.
 */
export async function recoverParts(workspaceId: string): Promise<number> {
  const known = new Set<string>();
  for await (const parts of pagesOfParts(workspaceId, { isStrong: true })) {
    for (const { first } of parts) known.add(first);
  }
  let added = 0;
  let after = '';
  for (;;) {
    const keys = await listFilesAfter(archiveFiles(workspaceId), after);
    const missing = keys.map(firstOfFile).filter((first) => !known.has(first));
    const results = await inParallel(filesAtOnce, missing, (first) => recoverPart(workspaceId, first));
    added += results.filter(Boolean).length;
    const last = keys.at(-1);
    if (last === undefined) return added;
    after = last;
  }
}

/** The position of the first email of a file, by its key. */
function firstOfFile(key: string): string {
  const id = key.slice(key.lastIndexOf('/') + 1);
  return `${timeOfId(id).toISOString()}#${id}`;
}

async function recoverPart(workspaceId: string, first: string): Promise<boolean> {
  const file = await findPartFile({ workspaceId, first });
  const emails = file?.lines.map((line) => line.email());
  const last = emails?.at(-1)?.position;
  if (!file || !emails || last === undefined) return false;
  return addPart({ workspaceId, first, last }, contentOf(emails, file));
}

/** Whether a part may hold something of a person; their address in canonical form. */
export function mayHoldPerson({ state, filter }: ArchivePart, address: string): boolean {
  if (state === 'writing' || !isFilterable(address)) return true;
  const elements: FilterElement[] = [`recipient:${address}`, `address:${address}`];
  return elements.some((element) => mayContain(filter, element));
}

/**
 * Erases a person from the file of a part; returns the number of records that were changed. The file is replaced whole,
 * and only if nothing else has replaced it: what two erasures change at the same time, both change.
 */
export function eraseFromPart(part: ArchivePart, replacer: AddressReplacer, now: Date): Promise<number> {
  let changed = 0;
  return untilSettled(async () => {
    const stored = await rereadPart(part);
    if (!stored) return changed;
    // Its writer has read the table, maybe before the person was erased from it: it begins anew.
    if (stored.state === 'writing' && !(await interruptPart(stored))) return overtaken;
    const file = await findPartFile(stored);
    if (!file) {
      if (stored.state === 'writing' || stored.keptUntil <= epochSeconds(now)) return changed;
      throw new Error(`The bucket has no file of copied emails from ${part.first} on.`);
    }
    const emails = file.lines.map((line) => line.email());
    const erased = await Promise.all(emails.map((email) => erasedCopy(email, replacer)));
    const count = erased.reduce((sum, { records }) => sum + records, 0);
    const after = erased.map(({ email }) => email);
    const bytes = count > 0 ? await bytesOfPart(after) : null;
    const etag = bytes ? await replaceFile(fileOfPart(stored), bytes, file.etag) : file.etag;
    if (etag === null) return overtaken;
    changed += count;
    if (stored.state === 'writing' || etag === stored.etag) return changed;
    const content = contentOf(after, { etag, bytes: bytes?.length ?? file.bytes });
    return (await notePart(stored, content)) ? changed : overtaken;
  });
}

async function erasedCopy(
  { position, items }: CopiedEmail,
  replacer: AddressReplacer,
): Promise<{ readonly email: CopiedEmail; readonly records: number }> {
  const erased = await Promise.all(items.map(async (item) => (await personalItemOf(item, replacer))?.erased ?? item));
  const records = erased.filter((item, index) => item !== items[index]).length;
  return { email: { position, items: erased }, records };
}

/** The copied emails of the parts that may hold something of a person, part by part. */
export async function* copiesWith(workspaceId: string, address: string, now: Date): AsyncGenerator<CopiedEmail[]> {
  for await (const parts of pagesOfParts(workspaceId)) {
    for (const part of parts) {
      if (part.state === 'writing' || part.keptUntil <= epochSeconds(now) || !mayHoldPerson(part, address)) continue;
      yield (await readPart(part)).lines.map((line) => line.email());
    }
  }
}
