import { type Attempt, isDone, type Slice } from '../../../domain/campaign/attempt.ts';
import {
  type Campaign,
  chunkInfo,
  chunksOfGroup,
  type Freeze,
  openChunks,
  sizeOfSlice,
} from '../../../domain/campaign/campaign.ts';
import { type SliceSets, setOf, slicePositions } from '../../../domain/campaign/slice.ts';
import { countSlice, difference, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { clearDoubt, recordAttempt, type SlicePosition, slicePages } from '../../../store/campaign/slices.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
import { together } from '../run/book.ts';
import { doubtLost } from '../run/chunk.ts';
import type { Flight } from '../run/flight.ts';
import { type CountedShard, correctTallies } from './correct.ts';

/** What the slices of a campaign say, all of them read. */
export interface Survey {
  readonly tally: Tally;
  /** Chunks, of those that are open, in which somebody has no outcome yet. */
  readonly unfinished: readonly number[];
  /** By variant: what its own people did. */
  readonly variants: ReadonlyMap<number | null, Tally>;
  /** Whether the counters say of everybody's outcome what the slices say. */
  readonly isExact: boolean;
}

type Surveyed = Pick<Flight, 'campaign' | 'freeze' | 'now' | 'book'>;

/** Reads every slice, ends the doubts that can be ended, and sets the tallies right. */
export async function survey(flight: Surveyed, heardUpTo: Date | null): Promise<Survey> {
  const { campaign, freeze, book } = flight;
  const seen = await readTallies(campaign.workspaceId, campaign.id, { consistent: true });
  // A campaign to a few has fewer chunks than there are shards.
  const used = seen.shards.slice(0, chunksOf(freeze));
  const shards = await Promise.all(used.map((_, shard) => surveyShard(flight, shard, heardUpTo)));
  await book.write();
  const finished = new Map(shards.flatMap(({ finished: own }) => [...own]));
  const variants = new Map<number | null, Tally>();
  for (const { variants: own } of shards) {
    for (const [variant, tally] of own) variants.set(variant, sum([variants.get(variant) ?? {}, tally]));
  }
  return {
    tally: sum(shards.map(({ tally }) => tally)),
    unfinished: unfinishedOf(campaign, freeze, finished),
    variants,
    isExact: await correctTallies(flight, seen, shards),
  };
}

interface ShardSurvey extends CountedShard {
  /** How many slices of a chunk are done. */
  readonly finished: Map<number, number>;
  readonly variants: Map<number | null, Tally>;
}

async function surveyShard(flight: Surveyed, shard: number, heardUpTo: Date | null): Promise<ShardSurvey> {
  const { campaign, freeze, now } = flight;
  const finished = new Map<number, number>();
  const variants = new Map<number | null, Tally>();
  let [tally, changedAt]: [Tally, number] = [{}, 0];
  for await (const page of slicePages(campaign.workspaceId, campaign.id, shard)) {
    for (const { state, changedAt: at, ...position } of page) {
      const group = chunkInfo(freeze, position.chunk);
      if (!group) continue;
      const size = sizeOfSlice(group.people, position.slice);
      await doubtLost(flight, position, state, size);
      const ended = await endDoubts(flight, position, { state, size }, verdictBy(now(), heardUpTo));
      const counts = countSlice(ended.sets, size);
      tally = sum([tally, counts]);
      changedAt = Math.max(changedAt, at);
      variants.set(group.variant, sum([variants.get(group.variant) ?? {}, counts, votes(ended.sets, size)]));
      if (isDone(ended, size)) finished.set(position.chunk, (finished.get(position.chunk) ?? 0) + 1);
    }
  }
  return { tally, changedAt, finished, variants };
}

/** Who opened by themselves: relays and scanners have no device of their own. Only for the decision of a test. */
function votes(sets: SliceSets, size: number): Tally {
  const devices = Object.keys(sets).filter((name) => name.startsWith('device.')) as `device.${string}`[];
  const people = Array.from({ length: size }, (_, position) => position);
  return { votes: people.filter((position) => devices.some((name) => setOf(sets, name).has(position))).length };
}

/**
 * Ends the attempts of which nothing more will be learnt. One that some event names has run: its silent people are never
 * written to again. One of which nothing at all was heard, while later ones were, was not taken: they may be tried
 * again. After a day what is in doubt stays so.
 */
async function endDoubts(
  { book }: Surveyed,
  position: SlicePosition,
  { state, size }: { readonly state: Slice; readonly size: number },
  verdictOn: (attempt: Attempt, slice: Slice) => Verdict,
): Promise<Slice> {
  let slice = state;
  for (const attempt of state.attempts) {
    const verdict = verdictOn(attempt, slice);
    if (verdict === 'open') continue;
    // Nobody of an attempt that is closed may count as never written to.
    const uncertain = { uncertain: attempt.positions };
    const before =
      verdict === 'over'
        ? await recordAttempt(position, attempt.id, uncertain)
        : await clearDoubt(position, slice.turn, attempt);
    if (!before) continue;
    const sets = verdict === 'over' ? together(before.sets, uncertain) : without(before.sets, attempt.positions);
    book.move(position, difference(countSlice(before.sets, size), countSlice(sets, size)));
    const attempts = slice.attempts.filter(({ id }) => id !== attempt.id);
    slice = { ...slice, attempts, sets, turn: slice.turn + (verdict === 'over' ? 0 : 1) };
  }
  return slice;
}

const finalSeconds = 86_400;

type Verdict = 'open' | 'over' | 'again';

const verdictBy =
  (now: Date, heardUpTo: Date | null) =>
  ({ id, deadline }: Attempt, { heard }: Slice): Verdict => {
    const doubtSeconds = config('CAMPAIGN_DOUBT_SECONDS');
    if (now >= addSeconds(deadline, finalSeconds)) return 'over';
    if (now < addSeconds(deadline, doubtSeconds)) return 'open';
    if (heard.has(id)) return 'over';
    return heardUpTo && heardUpTo >= addSeconds(deadline, doubtSeconds / 2) ? 'again' : 'open';
  };

const without = (sets: SliceSets, positions: ReadonlySet<number>): SliceSets => ({
  ...sets,
  uncertain: new Set([...setOf(sets, 'uncertain')].filter((position) => !positions.has(position))),
});

const chunksOf = ({ groups }: Freeze): number => groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);

function unfinishedOf(campaign: Campaign, freeze: Freeze, finished: ReadonlyMap<number, number>): number[] {
  const all = chunksOf(freeze);
  // Who waits for the winner of a test waits no more when it is cancelled.
  const chunks = campaign.hold?.reason === 'canceled' ? all : openChunks(campaign);
  return Array.from({ length: chunks }, (_, chunk) => chunk).filter((chunk) => {
    const people = chunkInfo(freeze, chunk)?.people ?? 0;
    return (finished.get(chunk) ?? 0) < Math.ceil(people / slicePositions);
  });
}
