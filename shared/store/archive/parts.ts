import * as z from 'zod';
import { archiveFileKey } from '../files/bucket.ts';
import { archivePartition, archivePartKey } from '../table/keys.ts';
import { getItem, type Item, idOfPosition, queryItems, queryPages } from '../table/table.ts';
import { changeItem, deleteItem, putItem, upsertItem } from '../table/write.ts';

/**
 * A part: up to a thousand emails of one day in one file of the bucket. This item says where it is and what may be in
 * it. `writing`: the file may be missing or wrong, and everything is in the table.
 */
const record = z.object({
  state: z.enum(['writing', 'kept']),
  /** Counts everything that makes what a writer has read out of date. */
  revision: z.number(),
  last: z.string(),
  emails: z.number().default(0),
  bytes: z.number().default(0),
  /** Of the file that `filter` is of. */
  etag: z.string().default(''),
  filter: z.custom<Uint8Array>((value) => value instanceof Uint8Array).default(new Uint8Array()),
  kept_until: z.number().default(0),
});

type PartRecord = z.input<typeof record>;

export interface ArchivePart {
  readonly workspaceId: string;
  /** The positions of its first and last email in the list of all emails. */
  readonly first: string;
  readonly last: string;
  readonly state: 'writing' | 'kept';
  readonly revision: number;
  readonly emails: number;
  readonly bytes: number;
  readonly etag: string;
  readonly filter: Uint8Array;
  /** When the last of its emails expires, in Unix seconds. */
  readonly keptUntil: number;
}

/** What a part says of its file. */
export type PartContent = Pick<ArchivePart, 'emails' | 'bytes' | 'etag' | 'filter' | 'keptUntil'>;

function partOf(workspaceId: string, item: Item): ArchivePart {
  const { kept_until: keptUntil, ...fields } = record.parse(item);
  return { workspaceId, first: String(item.sk), keptUntil, ...fields };
}

const recordOf = ({ keptUntil, ...content }: PartContent) => ({ ...content, kept_until: keptUntil });

const keyOf = ({ workspaceId, first }: Pick<ArchivePart, 'workspaceId' | 'first'>) =>
  archivePartKey(workspaceId, first);

export const fileOfPart = ({ workspaceId, first }: Pick<ArchivePart, 'workspaceId' | 'first'>): string =>
  archiveFileKey(workspaceId, dayOf(first), idOfPosition(first));

/** The day (UTC) of a position. */
export const dayOf = (position: string): string => position.slice(0, 10);

/** Sorts after every position, and before what else is in the partition. */
const afterAll = ':';

/** The part that may contain an email; null when none does. */
export async function partAt(workspaceId: string, position: string): Promise<ArchivePart | null> {
  const partition = archivePartition(workspaceId);
  const [item] = await queryItems({ partition, sort: { upTo: position }, order: 'descending', limit: 1 });
  const part = item && partOf(workspaceId, item);
  return part && part.last >= position ? part : null;
}

/** Strongly consistent: the part that may contain `first`, and the next one that begins before `last`. */
export async function partsAround(workspaceId: string, first: string, last: string) {
  const partition = archivePartition(workspaceId);
  const strong = { partition, consistency: 'strong', limit: 1 } as const;
  const [[before], [after]] = await Promise.all([
    queryItems({ ...strong, sort: { upTo: first }, order: 'descending' }),
    first < last ? queryItems({ ...strong, sort: { from: `${first}!`, to: last } }) : [],
  ]);
  return {
    before: before ? partOf(workspaceId, before) : null,
    after: after ? partOf(workspaceId, after) : null,
  };
}

/** Parts page by page. Up to 1 MB of the table a page, some 500 parts of a thousand emails each. */
export async function* pagesOfParts(
  workspaceId: string,
  { upTo = afterAll, after, order = 'ascending', isStrong = false }: PartRange = {},
): AsyncGenerator<ArchivePart[]> {
  const sort = after === undefined ? { upTo } : { from: `${after}!`, to: upTo };
  const consistency = isStrong ? 'strong' : 'eventual';
  for await (const { items } of queryPages({ partition: archivePartition(workspaceId), sort, order, consistency })) {
    yield items.map((item) => partOf(workspaceId, item));
  }
}

interface PartRange {
  readonly upTo?: string;
  readonly after?: string | undefined;
  readonly order?: 'ascending' | 'descending';
  readonly isStrong?: boolean;
}

/**
 * Says that a part is being written, before anything of it is read: from then on, an erasure of one of its people is
 * noticed. Returns the revision that the writer holds; null when the part is kept already.
 */
export async function beginPart(workspaceId: string, first: string, last: string): Promise<number | null> {
  const item = await upsertItem<PartRecord>(archivePartKey(workspaceId, first), {
    set: { state: 'writing', last },
    add: { revision: 1 },
    if: [
      {
        any: [
          ['state', 'absent'],
          ['state', '=', 'writing'],
        ],
      },
    ],
  });
  return item && Number(item.revision);
}

/** From here on the part is read; false when another writer or an erasure came between. */
export async function keepPart(
  part: Pick<ArchivePart, 'workspaceId' | 'first'>,
  revision: number,
  content: PartContent,
): Promise<boolean> {
  const change = {
    set: { state: 'kept' as const, ...recordOf(content) },
    expect: { state: 'writing' as const, revision },
  };
  return (await changeItem<PartRecord>(keyOf(part), change)) !== null;
}

/** Removes the note of a part of which nothing was written. */
export const abandonPart = (part: Pick<ArchivePart, 'workspaceId' | 'first'>, revision: number): Promise<boolean> =>
  deleteItem<PartRecord>(keyOf(part), { expect: { state: 'writing', revision } });

/** Makes what the writer of a part has read out of date; false when the part is kept by now. */
export async function interruptPart(part: ArchivePart): Promise<boolean> {
  const change = { add: { revision: 1 }, expect: { state: 'writing' as const } };
  return (await changeItem<PartRecord>(keyOf(part), change)) !== null;
}

/** After its file was replaced; false when another replacement was noted since the part was read. */
export async function notePart(part: ArchivePart, content: PartContent): Promise<boolean> {
  const change = { set: recordOf(content), expect: { state: 'kept' as const, etag: part.etag } };
  return (await changeItem<PartRecord>(keyOf(part), change)) !== null;
}

/** A part of which only the file is known; false when there is one. */
export const addPart = (
  part: Pick<ArchivePart, 'workspaceId' | 'first' | 'last'>,
  content: PartContent,
): Promise<boolean> =>
  putItem<PartRecord>(
    keyOf(part),
    { state: 'kept', revision: 1, last: part.last, ...recordOf(content) },
    { if: [['pk', 'absent']] },
  );

export const dropPart = (part: ArchivePart): Promise<boolean> =>
  deleteItem<PartRecord>(keyOf(part), { expect: { state: 'kept', etag: part.etag } });

/** Strongly consistent. */
export async function rereadPart(part: ArchivePart): Promise<ArchivePart | null> {
  const item = await getItem(keyOf(part));
  return item && partOf(part.workspaceId, item);
}
