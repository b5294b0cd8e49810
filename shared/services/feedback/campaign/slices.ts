import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, chunkInfo, type Freeze, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { messageMark } from '../../../domain/campaign/messageMark.ts';
import { type SetName, type SliceSets, setOf, slicePositions } from '../../../domain/campaign/slice.ts';
import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { addToSlice, getSlice, type SlicePosition } from '../../../store/campaign/slices.ts';
import { reportDoubled } from '../../campaigns/doubled.ts';
import type { TallyBook } from '../../campaigns/run/book.ts';

/** What reports add to a slice, gathered so that those that come together are one write. */
interface Group {
  readonly place: SlicePosition;
  readonly sets: Map<SetName, Set<number>>;
  readonly heard: Set<string>;
  readonly marks: Set<number>;
  /** Positions of the provider's simulator: no day counts them. */
  readonly uncounted: Set<number>;
  readonly done: Promise<void>;
}

/** What one report adds. */
export interface Addition {
  readonly freeze: Freeze;
  readonly campaign: Campaign;
  readonly chunk: number;
  /** In the chunk. */
  readonly position: number;
  readonly attempt: string;
  /** The provider's own name of the message; null when it dropped it. */
  readonly messageId: string | null;
  /** False for the provider's simulator, which is on no side of the workspace's rates. */
  readonly isCounted: boolean;
  readonly names: readonly SetName[];
}

const gatherMilliseconds = 25;
const open = new Map<string, Group>();

export const placeOf = ({ campaign, chunk, position }: Addition): SlicePosition => ({
  workspaceId: campaign.workspaceId,
  campaignId: campaign.id,
  chunk,
  slice: Math.floor(position / slicePositions),
});

/**
 * Adds a report to its slice; resolves when it is written, with those that came at the same time. What it moves counters
 * by goes into the book of whose report was the first of them: what the book loses with its worker is repaired by a
 * recount, or errs on the strict side, since the slice has it.
 */
export function addReport(addition: Addition, book: TallyBook): Promise<void> {
  const place = placeOf(addition);
  const key = [place.workspaceId, place.campaignId, place.chunk, place.slice].join('#');
  const group = open.get(key) ?? openGroup(key, place, addition, book);
  const own = addition.position % slicePositions;
  for (const name of addition.names) group.sets.set(name, (group.sets.get(name) ?? new Set()).add(own));
  group.heard.add(addition.attempt);
  if (addition.messageId !== null) group.marks.add(messageMark(own, addition.messageId));
  if (!addition.isCounted) group.uncounted.add(own);
  return group.done;
}

function openGroup(key: string, place: SlicePosition, { freeze }: Addition, book: TallyBook): Group {
  const sets = new Map<SetName, Set<number>>();
  const heard = new Set<string>();
  const marks = new Set<number>();
  const uncounted = new Set<number>();
  const size = sizeOfSlice(chunkInfo(freeze, place.chunk)?.people ?? 0, place.slice);
  const done = wait(gatherMilliseconds).then(() => {
    open.delete(key);
    return write({ place, sets: Object.fromEntries(sets), heard, marks, uncounted, size }, book);
  });
  const group = { place, sets, heard, marks, uncounted, done };
  open.set(key, group);
  return group;
}

interface Gathered {
  readonly place: SlicePosition;
  readonly sets: SliceSets;
  readonly heard: ReadonlySet<string>;
  readonly marks: ReadonlySet<number>;
  readonly uncounted: ReadonlySet<number>;
  readonly size: number;
}

async function write(gathered: Gathered, book: TallyBook): Promise<void> {
  const { place, sets, heard, marks, uncounted, size } = gathered;
  if (await isKnown(place, sets, marks)) return;
  const expiresAt = epochSeconds(new Date()) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
  const before = await addToSlice(place, { sets, heard, marks, expiresAt });
  if (!before) throw new Error('A report could not be added to its slice.');
  reportDoubled(place, before.marks, marks);
  book.add(place, before.sets, sets, size);
  const newOf = (name: 'accepted' | 'delivered') =>
    [...setOf(sets, name)].filter((one) => !setOf(before.sets, name).has(one) && !uncounted.has(one)).length;
  book.count(place.workspaceId, { sent: newOf('accepted'), delivered: newOf('delivered') });
}

/** The provider's yes is mostly known by the time at which its event comes: a read in place of a write. */
async function isKnown(place: SlicePosition, sets: SliceSets, marks: ReadonlySet<number>): Promise<boolean> {
  const names = Object.keys(sets);
  if (names.length !== 1 || names[0] !== 'accepted') return false;
  const slice = await getSlice(place);
  const isAccepted = [...setOf(sets, 'accepted')].every((position) => setOf(slice.sets, 'accepted').has(position));
  return isAccepted && [...marks].every((mark) => slice.marks.has(mark));
}

export function reportOrphan(workspaceId: string, campaignId: string): void {
  logger.warn('Feedback belongs to no campaign.', { workspace_id: workspaceId, campaign_id: campaignId });
}
