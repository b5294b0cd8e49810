import { lostAttempts, openPositions, type Slice } from '../../../domain/campaign/attempt.ts';
import { chunkInfo, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { slicePositions } from '../../../domain/campaign/slice.ts';
import type { Obstacle } from '../../../email/bulk.ts';
import { type Chunk, getChunk } from '../../../store/campaign/chunks.ts';
import { getSlice, readSlices, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import { readStanding, type Standing } from '../../../store/campaign/standing.ts';
import { type ChunkAtWork, sendSome } from './call.ts';
import { type Flight, messageOf } from './flight.ts';
import { ChunkPeople } from './people.ts';

/** How far a turn came with a chunk. `held`: the campaign was paused, cancelled or ended meanwhile. */
export type ChunkOutcome = { readonly kind: 'done' } | Interruption;
export type Interruption =
  | { readonly kind: 'held' }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** Sends what is open in a chunk, slice after slice: each waits for its place in the account's pace. */
export async function sendChunk(flight: Flight, number: number): Promise<ChunkOutcome> {
  const { campaign, freeze } = flight;
  const frozen = { workspaceId: campaign.workspaceId, campaignId: campaign.id, freezeId: freeze.id };
  const [chunk, slices] = await Promise.all([getChunk(frozen, number), readSlices({ ...frozen, chunk: number })]);
  if (!chunk) throw new Error(`Chunk ${number} of a frozen campaign is missing.`);
  const people = new ChunkPeople(campaign.workspaceId, chunk.emails);
  for (const [index, slice] of slices.entries()) {
    const outcome = await sendSlice(flight, { ...frozen, chunk: number, slice: index }, slice, { ...chunk, people });
    if (outcome.kind !== 'done') {
      await flight.book.write();
      return outcome;
    }
    await flight.book.writeIfOld();
  }
  await flight.book.write();
  return { kind: 'done' };
}

async function sendSlice(
  flight: Flight,
  position: SlicePosition,
  read: Slice,
  chunk: Chunk & Pick<ChunkAtWork, 'people'>,
): Promise<ChunkOutcome> {
  const size = sizeOfSlice(chunk.emails.length, position.slice);
  let slice = read;
  for (let calls = 0; ; calls += 1) {
    await doubtLost(flight, position, slice, size);
    const open = openPositions(slice, size);
    if (open.length === 0) return { kind: 'done' };
    if (flight.now() >= flight.deadline) return { kind: 'late', waitMilliseconds: 0 };
    const standing = await readStanding(flight.campaign);
    if (!goesOn(flight, standing)) return { kind: 'held' };
    const message = await messageOf(flight, variantOf(flight, chunk));
    const waiting = { open, pace: standing.pace };
    const step = await sendSome(flight, position, slice, { ...chunk, message }, waiting);
    if (step.kind === 'late' || step.kind === 'obstacle') return step;
    if (step.kind === 'sent' && step.throttled) return { kind: 'late', waitMilliseconds: throttleMilliseconds };
    slice = step.kind === 'sent' ? step.slice : await getSlice(position);
    if (calls > slicePositions * 4) throw new Error('A slice takes more calls than it has people.');
  }
}

const throttleMilliseconds = 1000;

/** Somebody may have paused it a second ago, or the workspace was suspended: it stops within one slice. */
function goesOn({ freeze }: Flight, { campaign, isSuspended }: Standing): boolean {
  if (isSuspended) return false;
  return campaign?.status === 'sending' && campaign.hold === null && campaign.freeze?.id === freeze.id;
}

/** A worker died between its claim and its record: what it had claimed may be out. */
export async function doubtLost(
  { book, now }: Pick<Flight, 'book' | 'now'>,
  position: SlicePosition,
  slice: Slice,
  size: number,
): Promise<void> {
  const lost = lostAttempts(slice, now()).flatMap(({ positions }) => [...positions]);
  const unseen = new Set(lost.filter((one) => !slice.sets.uncertain?.has(one)));
  if (unseen.size === 0) return;
  const before = await recordAttempt(position, null, { uncertain: unseen });
  if (before) book.add(position, before.sets, { uncertain: unseen }, size);
}

/** Those who wait for the winner of a test get what won. */
const variantOf = ({ campaign, freeze }: Flight, { number }: Chunk): number =>
  chunkInfo(freeze, number)?.variant ?? campaign.test?.winner ?? 0;
