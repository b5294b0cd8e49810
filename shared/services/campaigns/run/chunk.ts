import { lostAttempts, openPositions, type Slice } from '../../../domain/campaign/attempt.ts';
import { chunkInfo, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { slicePositions } from '../../../domain/campaign/slice.ts';
import type { Obstacle } from '../../../email/bulk.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import { type Chunk, getChunk } from '../../../store/campaign/chunks.ts';
import type { Pace } from '../../../store/campaign/pace.ts';
import { getSlice, readSlices, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import { type ChunkAtWork, sendSome } from './call.ts';
import { type Flight, messageOf } from './flight.ts';
import { ChunkPeople } from './people.ts';
import { campaignExpiry } from './retention.ts';

/** How far a turn came with a chunk. `held`: the campaign was paused, cancelled or ended meanwhile. */
export type ChunkOutcome = { readonly kind: 'done' } | Interruption;
export type Interruption =
  | { readonly kind: 'held' }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** Sends what is open in a chunk, slice after slice: each waits for its place in the account's pace. */
export async function sendChunk(flight: Flight, number: number): Promise<ChunkOutcome> {
  const { campaign, freeze } = flight;
  checkRetention(flight);
  const frozen = { workspaceId: campaign.workspaceId, campaignId: campaign.id, freezeId: freeze.id };
  const [chunk, slices] = await Promise.all([getChunk(frozen, number), readSlices({ ...frozen, chunk: number })]);
  if (!chunk) throw new Error(`Chunk ${number} of a frozen campaign is missing.`);
  const people = new ChunkPeople(campaign, chunk.emails);
  let pace: Pace | null = null;
  for (const [index, slice] of slices.entries()) {
    const position = { ...frozen, chunk: number, slice: index };
    const { outcome, ...latest } = await sendSlice(flight, position, slice, { ...chunk, people, pace });
    pace = latest.pace;
    if (outcome.kind !== 'done') {
      await flight.book.write();
      return outcome;
    }
    await flight.book.writeTallies();
  }
  await flight.book.write();
  return { kind: 'done' };
}

const marginSeconds = 3600;

/** When what became of people begins to expire, whoever got it looks as if nobody had written to them. */
function checkRetention({ freeze, now }: Flight): void {
  if (epochSeconds(now()) < campaignExpiry(new Date(freeze.at)) - marginSeconds) return;
  throw new Error('A campaign outlived what is kept of its people: nothing more is sent. Cancel it.');
}

/** Sends what is open in a slice; answers with the pace as it was read last. */
async function sendSlice(
  flight: Flight,
  position: SlicePosition,
  read: Slice,
  chunk: Chunk & Pick<ChunkAtWork, 'people' | 'pace'>,
): Promise<{ readonly outcome: ChunkOutcome; readonly pace: Pace | null }> {
  const size = sizeOfSlice(chunk.emails.length, position.slice);
  let [slice, { pace }] = [read, chunk];
  const ended = (outcome: ChunkOutcome) => ({ outcome, pace });
  for (let calls = 0; ; calls += 1) {
    await doubtLost(flight, position, slice, size);
    const open = openPositions(slice, size);
    if (open.length === 0) return ended({ kind: 'done' });
    if (flight.now() >= flight.deadline) return ended({ kind: 'late', waitMilliseconds: 0 });
    const message = await messageOf(flight, variantOf(flight, chunk));
    const step = await sendSome(flight, position, slice, { ...chunk, message, pace }, open);
    if (step.kind === 'late' || step.kind === 'obstacle' || step.kind === 'held') return ended(step);
    if (step.kind === 'sent') {
      ({ slice, pace } = step);
      if (step.throttled) return ended({ kind: 'late', waitMilliseconds: throttleMilliseconds });
    } else slice = await getSlice(position);
    if (calls > slicePositions * 4) throw new Error('A slice takes more calls than it has people.');
  }
}

const throttleMilliseconds = 1000;

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
