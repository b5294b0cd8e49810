import { isDeepStrictEqual } from 'node:util';
import { extendedUntil, outcomeUntil } from '../../domain/sending/archive.ts';
import { inParallel } from '../../platform/parallel.ts';
import { emailOf, isEmailItem, itemsOfEmail } from '../emails/email.ts';
import { listingKeysOf } from '../emails/emailLists.ts';
import { getTaggedFile, replaceFile, type TaggedFile } from '../files/bucket.ts';
import { emailPartition, emailsPartition, type Key } from '../table/keys.ts';
import { type Item, idOfPosition, keyOfItem, queryItems } from '../table/table.ts';
import { changeItem } from '../table/write.ts';
import { bytesOfPart, type CopiedEmail, contentOf, keptUntilOf, linesOf } from './internal/partFile.ts';
import { abandonPart, beginPart, dayOf, fileOfPart, keepPart, partsAround } from './parts.ts';

/** Emails of one file at most. */
const emailsOfPart = 1000;
const readsAtOnce = 24;

/** The emails of a workspace between two positions of the list of all emails, oldest first. */
async function emailsBetween(workspaceId: string, after: string, before: string) {
  // An exclamation mark sorts before what follows a time in a position.
  const sort = { from: `${after}!`, to: before };
  const partition = emailsPartition(workspaceId);
  const items = await queryItems({ index: 'newest', partition, sort, limit: emailsOfPart });
  const all = items.map((item) => ({ pk: String(item.pk), position: String(item.newest_sk) }));
  return {
    /** Scheduled emails are not copied. */
    positions: all.flatMap(({ pk, position }) =>
      pk === emailPartition(workspaceId, idOfPosition(position)) ? [position] : [],
    ),
    last: all.at(-1)?.position ?? null,
  };
}

/** Another writer or an erasure came between, and nothing was kept. */
export class CopyInterrupted extends Error {
  override readonly name = 'CopyInterrupted';
}

/**
 * Copies the next emails after a position into a file, reads the file back, and then says that it is there. Returns up to
 * where all is done; null when there is nothing before `before`. May be repeated after a crash at any point: until the
 * last write the emails are in the table alone, as far as any reader knows.
 */
export async function copyNext(workspaceId: string, after: string, before: string, now: Date): Promise<string | null> {
  const { positions, last: end } = await emailsBetween(workspaceId, after, before);
  const [first] = positions;
  if (first === undefined) return end;
  const ofDay = positions.filter((position) => dayOf(position) === dayOf(first));
  const around = await partsAround(workspaceId, first, ofDay.at(-1) ?? first);
  // After a restore, the copies of before are there.
  if (around.before?.state === 'kept' && around.before.last >= first) return around.before.last;
  const own = ofDay.filter((position) => !around.after || position < around.after.first);
  await copyPart(workspaceId, own, now);
  return own.at(-1) ?? first;
}

async function copyPart(workspaceId: string, positions: readonly string[], now: Date): Promise<void> {
  const [first = '', last = first] = [positions[0], positions.at(-1)];
  const part = { workspaceId, first };
  const revision = await beginPart(workspaceId, first, last);
  if (revision === null) throw new CopyInterrupted('The part is kept by another writer.');
  const read = await inParallel(readsAtOnce, positions, async (position): Promise<CopiedEmail> => {
    const items = await itemsOfEmail(workspaceId, idOfPosition(position));
    await giveTime(items, now);
    return { position, items };
  });
  const stored = read.filter((email) => keptUntilOf(email) > 0);
  const written = await writePart(fileOfPart(part), stored);
  if (!written) {
    await abandonPart(part, revision);
    return;
  }
  const { file, emails } = written;
  if (!(await keepPart(part, revision, contentOf(emails, { etag: file.etag, bytes: file.bytes.length })))) {
    throw new CopyInterrupted('A part was changed while it was copied.');
  }
}

/**
 * Writes a file and reads it back. One that is there already is of a run that crashed, or of the time after the point
 * of a restored table: what it alone has stays in it. Null when there is nothing to write.
 */
async function writePart(
  key: string,
  stored: readonly CopiedEmail[],
): Promise<{ readonly file: TaggedFile; readonly emails: readonly CopiedEmail[] } | null> {
  let emails = stored;
  let etag = stored.length === 0 ? null : await replaceFile(key, await bytesOfPart(emails), null);
  if (etag === null) {
    const present = await getTaggedFile(key);
    if (!present && stored.length === 0) return null;
    if (!present) throw new CopyInterrupted('A file was deleted while it was written.');
    emails = joined(await emailsOf(present), stored);
    etag = await replaceFile(key, await bytesOfPart(emails), present.etag);
    if (etag === null) throw new CopyInterrupted('Another process has written the file.');
  }
  const file = await getTaggedFile(key);
  if (file?.etag !== etag) throw new CopyInterrupted('Another process has written the file.');
  if (!isDeepStrictEqual(await emailsOf(file), emails))
    throw new Error('A file of copied emails reads back differently.');
  return { file, emails };
}

const emailsOf = async ({ bytes }: TaggedFile): Promise<CopiedEmail[]> =>
  (await linesOf(bytes)).map((line) => line.email());

/** By position; what is in the table is right. */
function joined(present: readonly CopiedEmail[], stored: readonly CopiedEmail[]): CopiedEmail[] {
  const all = new Map([...present, ...stored].map((email) => [email.position, email]));
  return [...all.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
}

/**
 * Gives more time in the table to an email that is not copied and whose time is nearly over, and to outcomes that would
 * expire before an email that is not copied at all.
 */
async function giveTime(items: readonly Item[], now: Date): Promise<void> {
  const own = items.find(isEmailItem);
  if (!own) return;
  const email = emailOf(own);
  const until = email.keptUntil === undefined ? email.expiresAt : extendedUntil(email, now);
  if (until === null) return;
  if (email.keptUntil !== undefined) {
    await extend(keyOfItem(own), until);
    await inParallel(readsAtOnce, listingKeysOf(email), (key) => extend(key, until));
  }
  const end = email.keptUntil === undefined ? until : outcomeUntil(until);
  const outcomes = items.filter((item) => item !== own && Number(item.expires_at) < end);
  await inParallel(readsAtOnce, outcomes, (item) => extend(keyOfItem(item), end));
}

interface Expiring {
  readonly expires_at: number;
}

async function extend(key: Key, until: number): Promise<void> {
  await changeItem<Expiring>(key, { set: { expires_at: until }, if: [['expires_at', '<', until]] });
}

/** Gives time to all emails between two positions that need it, whatever hinders their copying. */
export async function protectEmails(
  workspaceId: string,
  after: string,
  before: string,
  { now, isOutOfTime }: { readonly now: Date; readonly isOutOfTime: () => boolean },
): Promise<void> {
  let through = after;
  while (!isOutOfTime()) {
    const { positions, last } = await emailsBetween(workspaceId, through, before);
    if (last === null) return;
    await inParallel(readsAtOnce, positions, async (position) =>
      giveTime(await itemsOfEmail(workspaceId, idOfPosition(position)), now),
    );
    through = last;
  }
}
