import {
  type Campaign,
  chunkInfo,
  chunksOfGroup,
  type Freeze,
  openChunks,
  sizeOfSlice,
} from '../../../domain/campaign/campaign.ts';
import { countSlice, difference, ownOpens, sum, type Tally } from '../../../domain/campaign/report.ts';
import {
  type CallAttempt,
  isComplete,
  isDone,
  type Slice,
  type SliceSets,
  setOf,
  slicePositions,
} from '../../../domain/campaign/slice.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { clearDoubt, recordAttempt, type SlicePosition, slicePages } from '../../../store/campaign/slices.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
import { mergedSets } from '../counters.ts';
import { type FeedbackWatermark, withOneCheck } from '../feedbackWatermark.ts';
import { type CountedShard, correctTallies, countsOf, daysOfCampaign } from '../recount.ts';
import type { CampaignRun } from './campaignRun.ts';
import { markLostAttempts } from './sendChunk.ts';

/** The totals of all slices of a campaign. */
interface Survey {
  readonly tally: Tally;
  /** Open chunks in which not everybody has an outcome. */
  readonly unfinished: readonly number[];
  /** By variant; `votes` counts those who opened without a relay. */
  readonly variants: ReadonlyMap<number | null, Tally>;
  /** True when the outcome of some attempts stays unknown only until the watermark moves. */
  readonly needsLaterEvent: boolean;
  /** The latest deadline of an open attempt, in Unix milliseconds; null when none is open. */
  readonly openUntil: number | null;
  /** True when the counters of all outcomes equal what the slices say. */
  readonly isExact: boolean;
}

type SurveyedRun = Pick<CampaignRun, 'campaign' | 'freeze' | 'now' | 'counters'>;

/** Reads every slice, ends attempts of unknown outcome where that is possible, and corrects the counters. */
export async function survey(run: SurveyedRun, watermark: FeedbackWatermark): Promise<Survey> {
  const { campaign, freeze, counters } = run;
  const dates = daysOfCampaign({ ...campaign, freeze }, run.now());
  const seen = await readTallies(campaign.workspaceId, campaign.id, { consistent: true, dates });
  // A small campaign has fewer chunks than there are shards.
  const used = seen.shards.slice(0, chunksOf(freeze));
  const shards = await Promise.all(used.map((_, shard) => surveyShard(run, shard, watermark)));
  await counters.write();
  const finished = new Map(shards.flatMap(({ finished: own }) => [...own]));
  const variants = new Map<number | null, Tally>();
  for (const { variants: own } of shards) {
    for (const [variant, tally] of own) variants.set(variant, sum([variants.get(variant) ?? {}, tally]));
  }
  return {
    tally: sum(shards.map(({ tally }) => tally)),
    unfinished: unfinishedOf(campaign, freeze, finished),
    variants,
    needsLaterEvent: shards.some((shard) => shard.needsLaterEvent),
    openUntil: Math.max(0, ...shards.map((shard) => shard.openUntil)) || null,
    isExact: await correctTallies(run, seen, shards),
  };
}

interface ShardSurvey extends CountedShard {
  /** By chunk, how many of its slices are done. */
  readonly finished: Map<number, number>;
  readonly variants: Map<number | null, Tally>;
  readonly needsLaterEvent: boolean;
  readonly openUntil: number;
}

async function surveyShard(run: SurveyedRun, shard: number, watermark: FeedbackWatermark): Promise<ShardSurvey> {
  const { campaign, freeze } = run;
  const finished = new Map<number, number>();
  const variants = new Map<number | null, Tally>();
  let [tally, changedAt, needsLaterEvent, openUntil]: [Tally, number, boolean, number] = [{}, 0, false, 0];
  let isDated = true;
  for await (const page of slicePages(campaign.workspaceId, campaign.id, shard)) {
    const pageWatermark = withOneCheck(watermark);
    for (const { state, changedAt: at, ...position } of page) {
      const group = chunkInfo(freeze, position.chunk);
      if (!group) continue;
      const size = sizeOfSlice(group.people, position.slice);
      await markLostAttempts(run, position, state, size);
      const ended = await endUnknownAttempts(run, position, { state, size }, pageWatermark);
      needsLaterEvent ||= ended.needsLaterEvent;
      openUntil = Math.max(openUntil, ...ended.slice.attempts.map(({ deadline }) => deadline.getTime()));
      const counts = countsOf(ended.slice, size);
      isDated &&= state.day !== null;
      tally = sum([tally, counts]);
      changedAt = Math.max(changedAt, at);
      variants.set(
        group.variant,
        sum([variants.get(group.variant) ?? {}, counts, { votes: ownOpens(ended.slice.sets, size) }]),
      );
      if (isDone(ended.slice, size)) finished.set(position.chunk, (finished.get(position.chunk) ?? 0) + 1);
    }
  }
  return { tally, changedAt, isDated, finished, variants, needsLaterEvent, openUntil };
}

const chunksOf = ({ groups }: Freeze): number => groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);

function unfinishedOf(campaign: Campaign, freeze: Freeze, finished: ReadonlyMap<number, number>): number[] {
  const all = chunksOf(freeze);
  // In a cancelled test, nobody waits for the winner any more.
  const chunks = campaign.hold?.reason === 'canceled' ? all : openChunks(campaign);
  return Array.from({ length: chunks }, (_, chunk) => chunk).filter((chunk) => {
    const people = chunkInfo(freeze, chunk)?.people ?? 0;
    return (finished.get(chunk) ?? 0) < Math.ceil(people / slicePositions);
  });
}

/**
 * Ends the attempts of a slice about which nothing more will be reported. An attempt whose every position has an
 * outcome ends at once. If an event proves that the call was made, its other positions stay uncertain for good. If none
 * does and the watermark has passed it, the call was not accepted and its positions are open again. After a day it ends
 * as uncertain in any case.
 */
export async function endUnknownAttempts(
  { counters, now }: Pick<CampaignRun, 'counters' | 'now'>,
  position: SlicePosition,
  { state, size }: { readonly state: Slice; readonly size: number },
  watermark: FeedbackWatermark,
): Promise<{ readonly slice: Slice; readonly needsLaterEvent: boolean }> {
  let [slice, needsLaterEvent] = [state, false];
  for (const attempt of state.attempts) {
    const verdict = verdictOn(attempt, slice, now(), watermark.upTo);
    needsLaterEvent ||= verdict === 'needs later event';
    if (verdict === 'in flight' || verdict === 'needs later event') continue;
    // Checked after the slice was read: an event processed in between makes the conditional write below fail.
    if (verdict === 'not taken' && !(await watermark.isQueueDrained())) continue;
    // Positions of an ended attempt must not look untouched: they are marked in the same write.
    const marked: SliceSets = verdict === 'ran' ? { uncertain: attempt.positions } : {};
    const before =
      verdict === 'not taken'
        ? await clearDoubt(position, slice.version, attempt)
        : await recordAttempt(position, attempt.id, marked);
    if (!before) continue;
    const isCleared = verdict === 'not taken';
    const sets = isCleared ? without(before.sets, attempt.positions) : mergedSets(before.sets, marked);
    counters.move(position, difference(countSlice(before.sets, size), countSlice(sets, size)));
    const attempts = slice.attempts.filter(({ id }) => id !== attempt.id);
    slice = { ...slice, attempts, sets, version: slice.version + (isCleared ? 1 : 0) };
  }
  return { slice, needsLaterEvent };
}

const finalSeconds = 86_400;

/**
 * `complete`: everybody has an outcome. `ran`: it may have reached its recipients. `needs later event`: `not taken` as
 * soon as the watermark passes it.
 */
type Verdict = 'in flight' | 'needs later event' | 'complete' | 'ran' | 'not taken';

function verdictOn(attempt: CallAttempt, slice: Slice, now: Date, watermark: Date | null): Verdict {
  const doubtSeconds = config('CAMPAIGN_DOUBT_SECONDS');
  const { id, deadline } = attempt;
  if (isComplete(attempt, slice)) return 'complete';
  if (now >= addSeconds(deadline, finalSeconds)) return 'ran';
  if (now < addSeconds(deadline, doubtSeconds)) return 'in flight';
  if (slice.provenAttempts.has(id)) return 'ran';
  return watermark && watermark >= addSeconds(deadline, doubtSeconds / 2) ? 'not taken' : 'needs later event';
}

const without = (sets: SliceSets, positions: ReadonlySet<number>): SliceSets => ({
  ...sets,
  uncertain: new Set([...setOf(sets, 'uncertain')].filter((position) => !positions.has(position))),
});
