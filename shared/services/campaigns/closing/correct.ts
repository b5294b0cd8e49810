import { setTimeout as wait } from 'node:timers/promises';
import { difference, isOfOutcome, type Tally } from '../../../domain/campaign/tally.ts';
import { correctTally, readTallies, type Tallies } from '../../../store/campaign/tallies.ts';
import type { Flight } from '../run/flight.ts';
import { type CountedShard, countShard } from './countShard.ts';

/** Longer than any worker that changed a slice takes to move the tally, or dies. */
export const settledMilliseconds = 90_000;
const lookTwiceMilliseconds = 2000;

/**
 * Sets right what a worker did not live to count. Its write is told from one that is on its way by looking twice: what is
 * missing both times is lost. What feedback moves is only judged where it was quiet for long enough. True when outcomes
 * are counted as the slices have them.
 */
export async function correctTallies(
  flight: Pick<Flight, 'campaign' | 'freeze' | 'now'>,
  seen: Tallies,
  counted: readonly CountedShard[],
): Promise<boolean> {
  const missing = counted.map((shard, index) => missingOf(shard, seen.shards[index] ?? {}, flight.now()));
  if (missing.every(isNothing)) return true;
  await wait(lookTwiceMilliseconds);
  const { campaign } = flight;
  const again = await readTallies(campaign.workspaceId, campaign.id, { consistent: true });
  const results = missing.map(async (first, shard) => {
    if (isNothing(first)) return true;
    const second = missingOf(await countShard(flight, shard), again.shards[shard] ?? {}, flight.now());
    const lost = Object.fromEntries(Object.entries(second).filter(([name, count]) => first[name] === count));
    const isCorrected = await correctTally(
      { workspaceId: campaign.workspaceId, campaignId: campaign.id, shard },
      lost,
      { seen: again.recounts[shard] ?? 0 },
    );
    return isCorrected && Object.keys(second).every((name) => name in lost || !isOfOutcome(name));
  });
  return (await Promise.all(results)).every(Boolean);
}

const isNothing = (tally: Tally): boolean => Object.keys(tally).length === 0;

function missingOf({ tally, changedAt }: CountedShard, seen: Tally, now: Date): Tally {
  const isSettled = now.getTime() - changedAt > settledMilliseconds;
  const all = Object.entries(difference(seen, tally));
  return Object.fromEntries(all.filter(([name]) => isSettled || isOfOutcome(name)));
}
