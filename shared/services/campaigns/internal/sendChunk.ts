import { chunkInfo, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { lostAttempts, openPositions, type Slice, slicePositions } from '../../../domain/campaign/slice.ts';
import type { Obstacle } from '../../../email/bulk.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import { type Chunk, getChunk } from '../../../store/campaign/frozenContent.ts';
import type { Pace } from '../../../store/campaign/pace.ts';
import { getSlice, readSlices, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import { campaignExpiry } from '../counters.ts';
import { type ChunkContext, sendCall } from './bulkCall.ts';
import { type CampaignRun, messageOf } from './campaignRun.ts';
import { RecipientLookup } from './recipientLookup.ts';

/**
 * How a chunk ended. `held`: the campaign was paused, cancelled or ended. `late`: the invocation has no time left, or
 * the pace no free slot. `obstacle`: SES accepts nothing for now.
 */
export type ChunkOutcome = { readonly kind: 'done' } | Interruption;
export type Interruption =
  | { readonly kind: 'held' }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** Sends to every open position of a chunk, one slice after the other. */
export async function sendChunk(run: CampaignRun, number: number): Promise<ChunkOutcome> {
  const { campaign, freeze, counters } = run;
  checkRetention(run);
  const frozen = { workspaceId: campaign.workspaceId, campaignId: campaign.id, freezeId: freeze.id };
  const [chunk, slices] = await Promise.all([getChunk(frozen, number), readSlices({ ...frozen, chunk: number })]);
  if (!chunk) throw new Error(`Chunk ${number} of a frozen campaign is missing.`);
  const people = new RecipientLookup(campaign, chunk.emails);
  let pace: Pace | null = null;
  for (const [index, slice] of slices.entries()) {
    const position = { ...frozen, chunk: number, slice: index };
    const { outcome, ...latest } = await sendSlice(run, position, slice, { ...chunk, people, pace });
    pace = latest.pace;
    if (outcome.kind !== 'done') {
      await counters.write();
      return outcome;
    }
    await counters.writeTallies();
  }
  await counters.write();
  return { kind: 'done' };
}

const marginSeconds = 3600;

/** Expired slices look untouched: sending on would write to the same people again. */
function checkRetention({ freeze, now }: CampaignRun): void {
  if (epochSeconds(now()) < campaignExpiry(new Date(freeze.at)) - marginSeconds) return;
  throw new Error('The retention time of this campaign is over: nothing more is sent. Cancel it.');
}

/** Sends to the open positions of a slice. Also returns the pace as last read. */
async function sendSlice(
  run: CampaignRun,
  position: SlicePosition,
  stored: Slice,
  chunk: Chunk & Pick<ChunkContext, 'people' | 'pace'>,
): Promise<{ readonly outcome: ChunkOutcome; readonly pace: Pace | null }> {
  const size = sizeOfSlice(chunk.emails.length, position.slice);
  let [slice, { pace }] = [stored, chunk];
  const ended = (outcome: ChunkOutcome) => ({ outcome, pace });
  for (let [calls, slowReads] = [0, 0]; ; calls += 1) {
    await markLostAttempts(run, position, slice, size);
    const open = openPositions(slice, size);
    if (open.length === 0) return ended({ kind: 'done' });
    if (run.now() >= run.deadline) return ended({ kind: 'late', waitMilliseconds: 0 });
    const message = await messageOf(run, variantOf(run, chunk));
    const result = await sendCall(run, position, slice, { ...chunk, message, pace }, open);
    if (result.kind === 'late' || result.kind === 'obstacle' || result.kind === 'held') return ended(result);
    slowReads = result.kind === 'slow' ? slowReads + 1 : 0;
    if (slowReads >= maxSlowReads) return ended(tooSlow);
    if (result.kind === 'sent') {
      ({ slice, pace } = result);
      if (result.throttled) return ended({ kind: 'late', waitMilliseconds: throttleMilliseconds });
    } else slice = await getSlice(position);
    if (calls > slicePositions * 4) throw new Error('A slice takes more calls than it has people.');
  }
}

const throttleMilliseconds = 1000;

/** After so many slow reads in a row, the slice waits. */
const maxSlowReads = 3;
const tooSlow: ChunkOutcome = { kind: 'obstacle', obstacle: { reason: 'store_slow', providerCode: null } };

/** Marks as uncertain the positions whose process crashed between its claim and its record: their message may be out. */
export async function markLostAttempts(
  { counters, now }: Pick<CampaignRun, 'counters' | 'now'>,
  position: SlicePosition,
  slice: Slice,
  size: number,
): Promise<void> {
  const lost = lostAttempts(slice, now()).flatMap(({ positions }) => [...positions]);
  const unmarked = new Set(lost.filter((one) => !slice.sets.uncertain?.has(one)));
  if (unmarked.size === 0) return;
  const before = await recordAttempt(position, null, { uncertain: unmarked });
  if (before) counters.add(position, before, { uncertain: unmarked }, size);
}

/** The group that waits for the winner of a test gets the winning variant. */
const variantOf = ({ campaign, freeze }: CampaignRun, { number }: Chunk): number =>
  chunkInfo(freeze, number)?.variant ?? campaign.test?.winner ?? 0;
