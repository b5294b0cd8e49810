import {
  type CallAttempt,
  type SetName,
  type Slice,
  type SliceSets,
  slicesOfChunk,
} from '../../domain/campaign/slice.ts';
import { nowMilliseconds } from '../../platform/clock.ts';
import { readTogether } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import { campaignShardPartition, campaignShards, sliceKey } from '../table/keys.ts';
import { type Item, queryItems, queryPages } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changePart, upsertAnswering } from '../table/write.ts';
import { bounceOrComplaintPart } from '../usage.ts';

/** The outcomes of 50 recipients of a campaign, by position. */
interface SliceRecord {
  /** The slice's version. */
  readonly turn?: number;
  readonly day?: string;
  /** Attempts that an event proves to have run. */
  readonly heard?: ReadonlySet<string>;
  readonly marks?: ReadonlySet<number>;
  /** Unix milliseconds. */
  readonly changed_at: number;
  readonly expires_at?: number;
  readonly [set: `s#${string}`]: ReadonlySet<number>;
  /** What was counted on a day. Separate from the sets, which feedback writes after its effects. */
  readonly [counted: `counted#${string}`]: ReadonlySet<number>;
  readonly [attempt: `a#${string}`]: { readonly positions: ReadonlySet<number>; readonly deadline: string };
}

const setPrefix = 's#' as const;
const attemptPrefix = 'a#' as const;
const setName = (name: SetName) => `${setPrefix}${name}` as const;
const attemptName = (id: string) => `${attemptPrefix}${id}` as const;

export interface SlicePosition {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly chunk: number;
  readonly slice: number;
}

/**
 * The slices of a chunk in one query; one that was never written is included as empty. Strongly consistent, or at half
 * the price if they may be a moment old.
 */
export async function readSlices(
  { workspaceId, campaignId, chunk }: Omit<SlicePosition, 'slice'>,
  { consistent }: { readonly consistent: boolean } = { consistent: true },
): Promise<Slice[]> {
  const first = sliceKey(workspaceId, campaignId, chunk, 0);
  const sort = { prefix: first.sk.slice(0, -1) };
  const items = await queryItems({ partition: first.pk, sort, consistency: consistent ? 'strong' : 'eventual' });
  const found = new Map(items.map((item) => [Number(String(item.sk).split('#')[2]), sliceOf(item)]));
  return Array.from({ length: slicesOfChunk }, (_, slice) => found.get(slice) ?? untouchedSlice);
}

/** One slice, strongly consistent. */
export async function getSlice({ workspaceId, campaignId, chunk, slice }: SlicePosition): Promise<Slice> {
  const [item] = await readTogether([sliceKey(workspaceId, campaignId, chunk, slice)]);
  return item ? sliceOf(item) : untouchedSlice;
}

/**
 * Records a bounce or a complaint and counts it on its day, in one transaction: these counts decide over suspension, so
 * each report counts exactly once. False when it was counted before.
 */
export async function addBounceOrComplaint(
  slice: SlicePosition,
  position: number,
  type: 'bounced' | 'complained',
  day: string,
): Promise<boolean> {
  const counted = `counted#${type}` as const;
  const note = changePart<SliceRecord>(keyOfSlice(slice), {
    add: [[counted, new Set([position])]],
    if: [{ any: [[counted, 'absent'], { not: [counted, 'contains', position] }] }],
  });
  return (await transact([note, bounceOrComplaintPart(slice.workspaceId, day, { [type]: 1 })])) === null;
}

export const keyOfSlice = ({ workspaceId, campaignId, chunk, slice }: SlicePosition) =>
  sliceKey(workspaceId, campaignId, chunk, slice);

export const untouchedSlice: Slice = {
  version: 0,
  day: null,
  sets: {},
  attempts: [],
  provenAttempts: new Set(),
  messageMarkers: new Set(),
};

interface SliceClaim {
  readonly attempt: CallAttempt | null;
  /** Sets of those who get nothing, and of simulator addresses. */
  readonly sets: SliceSets;
  /** The day of the first claim, on which its messages count. */
  readonly day: string;
  readonly expiresAt: number;
}

/**
 * Claims positions for an attempt and records who is skipped, unless the slice changed since it was read (`version`).
 * Null after a change: read it again.
 */
export async function claimPositions(
  position: SlicePosition,
  version: number,
  { attempt, sets, day, expiresAt }: SliceClaim,
): Promise<Slice | null> {
  const { isMade, isRecognised, item } = await write(position, {
    set: [
      { turn: version + 1, expires_at: expiresAt, day: version === 0 ? day : undefined },
      ...(attempt ? [[attemptName(attempt.id), attemptRecord(attempt)] as const] : []),
    ],
    add: setsOf(sets),
    expect: { turn: version || undefined },
  });
  if (!isMade) return null;
  const slice = sliceOf(item);
  if (!isRecognised) return slice;
  // The sets as before the claim: its own additions are in none of them.
  const isNew = (name: string, one: number) => sets[name as SetName]?.has(one) ?? false;
  const before = Object.entries(slice.sets).map(([name, set]) => [
    name,
    new Set([...(set ?? [])].filter((one) => !isNew(name, one))),
  ]);
  return {
    ...slice,
    version,
    sets: Object.fromEntries(before),
    attempts: slice.attempts.filter(({ id }) => id !== attempt?.id),
  };
}

/** Records the outcomes of a call; returns the slice as it was before. */
export async function recordAttempt(
  position: SlicePosition,
  attemptId: string | null,
  sets: SliceSets,
  messageMarkers: ReadonlySet<number> = new Set(),
): Promise<Slice | null> {
  const remove = attemptId === null ? [] : [attemptName(attemptId)];
  return update(position, { remove, add: [...setsOf(sets), { marks: messageMarkers }] });
}

/** Adds reported events; returns the slice as it was before. `provenAttempts` are proven to have run. */
export async function addToSlice(
  position: SlicePosition,
  added: {
    readonly sets: SliceSets;
    readonly provenAttempts: ReadonlySet<string>;
    readonly messageMarkers?: ReadonlySet<number>;
    readonly expiresAt: number;
  },
): Promise<Slice | null> {
  const { sets, provenAttempts, messageMarkers, expiresAt } = added;
  return update(position, {
    setIfAbsent: { expires_at: expiresAt },
    add: [...setsOf(sets), { heard: provenAttempts, marks: messageMarkers }],
  });
}

/**
 * Reopens the positions of an attempt that was certainly not accepted. Null when a claim, or an event that names the
 * attempt, came first.
 */
export async function clearDoubt(
  position: SlicePosition,
  version: number,
  attempt: CallAttempt,
): Promise<Slice | null> {
  return update(position, {
    set: { turn: version + 1 },
    remove: [attemptName(attempt.id)],
    takeOut: [[setName('uncertain'), new Set(attempt.positions)]],
    expect: { turn: version },
    if: [{ not: ['heard', 'contains', attempt.id] }],
  });
}

interface TouchedSlice extends SlicePosition {
  readonly state: Slice;
  /** Unix milliseconds of the last change. */
  readonly changedAt: number;
}

/** Every written slice of a shard in pages of 1 MB; at half the price if it may be a moment old. */
export async function* slicePages(
  workspaceId: string,
  campaignId: string,
  shard: number,
  { consistent }: { readonly consistent: boolean } = { consistent: true },
): AsyncGenerator<TouchedSlice[]> {
  const partition = campaignShardPartition(workspaceId, campaignId, shard);
  const consistency = consistent ? 'strong' : 'eventual';
  for await (const { items } of queryPages({ partition, sort: { prefix: 'SLICE#' }, consistency })) {
    yield items.map((item) => {
      const [, chunk, slice] = String(item.sk).split('#');
      const position = { workspaceId, campaignId, chunk: Number(chunk), slice: Number(slice) };
      return { ...position, state: sliceOf(item), changedAt: Number(item.changed_at ?? 0) };
    });
  }
}

/** The same for every shard of a campaign, to be read in parallel. */
export const pagesOfShards = (workspaceId: string, campaignId: string): AsyncGenerator<TouchedSlice[]>[] =>
  Array.from({ length: campaignShards }, (_, shard) => slicePages(workspaceId, campaignId, shard));

/** Returns the slice as it was before; null when a condition fails. */
async function update(position: SlicePosition, change: Change<SliceRecord>): Promise<Slice | null> {
  const { isMade, item } = await write(position, change);
  return isMade ? sliceOf(item) : null;
}

function write(position: SlicePosition, change: Change<SliceRecord>) {
  const set = [change.set ?? [], { changed_at: nowMilliseconds() }].flat();
  return upsertAnswering<SliceRecord>(keyOfSlice(position), { ...change, set }, 'ALL_OLD');
}

const setsOf = (sets: SliceSets) =>
  Object.entries(sets).map(([name, positions]) => [setName(name as SetName), new Set(positions)] as const);

const attemptRecord = ({ positions, deadline }: CallAttempt) => ({
  positions: new Set(positions),
  deadline: deadline.toISOString(),
});

export function sliceOf(item: Item): Slice {
  const entries = Object.entries(item);
  const sets = entries
    .filter(([name]) => name.startsWith(setPrefix))
    .map(([name, positions]) => [name.slice(setPrefix.length), positions as Set<number>]);
  const attempts = entries
    .filter(([name]) => name.startsWith(attemptPrefix))
    .map(([name, value]): CallAttempt => {
      const { positions, deadline } = value as { positions: Set<number>; deadline: string };
      return { id: name.slice(attemptPrefix.length), positions, deadline: new Date(deadline) };
    });
  return {
    version: Number(item.turn ?? 0),
    day: typeof item.day === 'string' ? item.day : null,
    sets: Object.fromEntries(sets) as SliceSets,
    attempts,
    provenAttempts: (item.heard as Set<string> | undefined) ?? new Set(),
    messageMarkers: (item.marks as Set<number> | undefined) ?? new Set(),
  };
}
