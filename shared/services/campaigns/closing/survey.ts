import { isDone } from '../../../domain/campaign/attempt.ts';
import {
  type Campaign,
  chunkInfo,
  chunksOfGroup,
  type Freeze,
  openChunks,
  sizeOfSlice,
} from '../../../domain/campaign/campaign.ts';
import { slicePositions } from '../../../domain/campaign/slice.ts';
import { countSlice, ownOpens, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { slicePages } from '../../../store/campaign/slices.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
import { doubtLost } from '../run/chunk.ts';
import type { Flight } from '../run/flight.ts';
import { correctTallies } from './correct.ts';
import type { CountedShard } from './countShard.ts';
import { endDoubts } from './doubts.ts';
import { askedOnce, type Heard } from './readHeard.ts';

/** What the slices of a campaign say, all of them read. */
export interface Survey {
  readonly tally: Tally;
  /** Chunks, of those that are open, in which somebody has no outcome yet. */
  readonly unfinished: readonly number[];
  /** By variant: what its own people did; `votes` are those who opened by themselves. */
  readonly variants: ReadonlyMap<number | null, Tally>;
  /** Whether somebody is in doubt for want of an event alone: one of any later message would end it. */
  readonly lacksWord: boolean;
  /** Whether the counters say of everybody's outcome what the slices say. */
  readonly isExact: boolean;
}

type Surveyed = Pick<Flight, 'campaign' | 'freeze' | 'now' | 'book'>;

/** Reads every slice, ends the doubts that can be ended, and sets the tallies right. */
export async function survey(flight: Surveyed, heard: Heard): Promise<Survey> {
  const { campaign, freeze, book } = flight;
  const seen = await readTallies(campaign.workspaceId, campaign.id, { consistent: true });
  // A campaign to a few has fewer chunks than there are shards.
  const used = seen.shards.slice(0, chunksOf(freeze));
  const shards = await Promise.all(used.map((_, shard) => surveyShard(flight, shard, heard)));
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
    lacksWord: shards.some((shard) => shard.lacksWord),
    isExact: await correctTallies(flight, seen, shards),
  };
}

interface ShardSurvey extends CountedShard {
  /** How many slices of a chunk are done. */
  readonly finished: Map<number, number>;
  readonly variants: Map<number | null, Tally>;
  readonly lacksWord: boolean;
}

async function surveyShard(flight: Surveyed, shard: number, heard: Heard): Promise<ShardSurvey> {
  const { campaign, freeze } = flight;
  const finished = new Map<number, number>();
  const variants = new Map<number | null, Tally>();
  let [tally, changedAt, lacksWord]: [Tally, number, boolean] = [{}, 0, false];
  for await (const page of slicePages(campaign.workspaceId, campaign.id, shard)) {
    const asked = askedOnce(heard);
    for (const { state, changedAt: at, ...position } of page) {
      const group = chunkInfo(freeze, position.chunk);
      if (!group) continue;
      const size = sizeOfSlice(group.people, position.slice);
      await doubtLost(flight, position, state, size);
      const { slice: ended, lacksWord: own } = await endDoubts(flight, position, { state, size }, asked);
      lacksWord ||= own;
      const counts = countSlice(ended.sets, size);
      tally = sum([tally, counts]);
      changedAt = Math.max(changedAt, at);
      variants.set(
        group.variant,
        sum([variants.get(group.variant) ?? {}, counts, { votes: ownOpens(ended.sets, size) }]),
      );
      if (isDone(ended, size)) finished.set(position.chunk, (finished.get(position.chunk) ?? 0) + 1);
    }
  }
  return { tally, changedAt, finished, variants, lacksWord };
}

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
