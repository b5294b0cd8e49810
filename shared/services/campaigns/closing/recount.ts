import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, chunkInfo, chunksOfGroup, type Freeze } from '../../../domain/campaign/campaign.ts';
import { slicePositions } from '../../../domain/campaign/slice.ts';
import { difference, type Tally } from '../../../domain/campaign/tally.ts';
import { logger } from '../../../platform/logger.ts';
import { shardOfChunk } from '../../../store/campaign/chunks.ts';
import { correctTally, readTallies } from '../../../store/campaign/tallies.ts';
import { settledMilliseconds } from './correct.ts';
import { countShard } from './countShard.ts';

/** `moving`: some counters changed while they were looked at. `expired`: what they were counted from begins to go. */
export type Recount = 'exact' | 'moving' | 'expired';

type Counted = Pick<Campaign, 'workspaceId' | 'id' | 'status'> & { readonly freeze: Freeze };

/**
 * Sets the counters of some shards to what their slices say. Half the price where nothing is missing, as nearly always:
 * the first look may be a moment old. What it misses is looked at three times more, up to date: a counter is set right
 * whose tally stood still during each look and of which the same was missing in all. A worker on its way between its
 * slice and its tally would have to be met three times at the same place, and the next recount would take it back. While
 * the campaign is being sent a worker may keep what it counted for longer: then only what has settled is judged.
 */
export async function recountShards(campaign: Counted, shards: readonly number[], now: () => Date): Promise<Recount> {
  const seen = await readTallies(campaign.workspaceId, campaign.id);
  const results = await Promise.all(shards.map((shard) => firstLook(campaign, shard, seen.shards[shard] ?? {})));
  if (results.some(({ isExpired }) => isExpired)) return 'expired';
  const wrong = results.filter(({ isRight }) => !isRight);
  const suspects = wrong.filter(({ changedAt }) => isSettled(campaign, changedAt, now())).map(({ shard }) => shard);
  if (suspects.length === 0) return wrong.length === 0 ? 'exact' : 'moving';
  const looks = [await look(campaign, suspects, now)];
  while (looks.length < looksTaken) {
    await wait(betweenLooksMilliseconds);
    looks.push(await look(campaign, suspects, now));
  }
  const outcomes = await Promise.all(suspects.map((shard) => correct(campaign, shard, looks)));
  return suspects.length === wrong.length && outcomes.every(Boolean) ? 'exact' : 'moving';
}

const looksTaken = 3;
const betweenLooksMilliseconds = 2000;

async function firstLook(campaign: Counted, shard: number, seen: Tally) {
  const { freeze, status } = campaign;
  const { tally, changedAt, slices } = await countShard({ campaign, freeze }, shard, { consistent: false });
  // Each person of a campaign that was sent has an outcome: a slice that is not there is there no more.
  const isExpired = status !== 'sending' && slices < slicesOf(freeze, shard);
  return { shard, isExpired, changedAt, isRight: isNothing(difference(seen, tally)) };
}

/** By shard: what is missing in its tally, and which counters could not be judged. */
interface Look {
  readonly missing: ReadonlyMap<number, { readonly lost: Tally; readonly isWhole: boolean }>;
  readonly recounts: readonly number[];
}

async function look(campaign: Counted, shards: readonly number[], now: () => Date): Promise<Look> {
  const { workspaceId, id, freeze } = campaign;
  const before = await readTallies(workspaceId, id, { consistent: true });
  const counted = await Promise.all(shards.map((shard) => countShard({ campaign, freeze }, shard)));
  const after = await readTallies(workspaceId, id, { consistent: true });
  const missing = shards.map((shard, index) => {
    const { tally, changedAt } = counted[index] ?? { tally: {}, changedAt: 0 };
    const [first, last] = [before.shards[shard] ?? {}, after.shards[shard] ?? {}];
    const all = Object.entries(difference(last, tally));
    const stood = all.filter(([name]) => isSettled(campaign, changedAt, now()) && first[name] === last[name]);
    return [shard, { lost: Object.fromEntries(stood), isWhole: stood.length === all.length }] as const;
  });
  return { missing: new Map(missing), recounts: after.recounts };
}

/** True when its counters are right by now. */
async function correct(campaign: Counted, shard: number, looks: readonly Look[]): Promise<boolean> {
  const seen = looks.map(({ missing }) => missing.get(shard) ?? { lost: {}, isWhole: false });
  const last = seen.at(-1) ?? { lost: {}, isWhole: false };
  const isSame = ([name, count]: [string, number]) => seen.every(({ lost }) => lost[name] === count);
  const lost = Object.entries(last.lost).filter(isSame);
  const position = { workspaceId: campaign.workspaceId, campaignId: campaign.id, shard };
  const change = Object.fromEntries(lost);
  const isCorrected = await correctTally(position, change, { seen: looks.at(-1)?.recounts[shard] ?? 0 });
  if (isCorrected && lost.length > 0) {
    logger.warn('A campaign’s counters were set right.', { ...position, counters: Object.keys(change) });
  }
  return isCorrected && last.isWhole && lost.length === Object.keys(last.lost).length;
}

const isSettled = ({ status }: Counted, changedAt: number, now: Date): boolean =>
  status !== 'sending' || now.getTime() - changedAt > settledMilliseconds;

const isNothing = (tally: Tally): boolean => Object.keys(tally).length === 0;

function slicesOf(freeze: Freeze, shard: number): number {
  const chunks = freeze.groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);
  let slices = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (shardOfChunk(chunk) !== shard) continue;
    slices += Math.ceil((chunkInfo(freeze, chunk)?.people ?? 0) / slicePositions);
  }
  return slices;
}
