import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, chunkInfo, chunksOfGroup, type Freeze, sizeOfSlice } from '../../domain/campaign/campaign.ts';
import { countDay, dayCounterOf } from '../../domain/campaign/dayCounts.ts';
import { countSlice, difference, isOfOutcome, sum, type Tally } from '../../domain/campaign/report.ts';
import { type Slice, slicePositions } from '../../domain/campaign/slice.ts';
import { secondsInDay } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { shardOfChunk } from '../../store/campaign/frozenContent.ts';
import { slicePages } from '../../store/campaign/slices.ts';
import { correctTally, readTallies, type Tallies } from '../../store/campaign/tallies.ts';
import { keptDays } from '../../store/campaignDays.ts';

/** `moving`: some counters changed during the recount. `expired`: some slices have expired already. */
export type Recount = 'exact' | 'moving' | 'expired';

type CountedCampaign = Pick<Campaign, 'workspaceId' | 'id' | 'status' | 'sentAt'> & { readonly freeze: Freeze };

const dayMilliseconds = secondsInDay * 1000;

/** The days (UTC) on which a campaign may have begun slices, without those whose counters have expired. */
export function daysOfCampaign({ freeze, sentAt }: Pick<CountedCampaign, 'freeze' | 'sentAt'>, now: Date): string[] {
  const dayNumber = (at: number) => Math.floor(at / dayMilliseconds);
  const last = dayNumber(sentAt ? Date.parse(sentAt) : now.getTime());
  const first = Math.max(dayNumber(Date.parse(freeze.at)), dayNumber(now.getTime()) - keptDays + 2);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    new Date((first + index) * dayMilliseconds).toISOString().slice(0, 10),
  );
}

/**
 * Sets the counters of some shards to the sums of their slices. The first read is eventually consistent, at half the
 * price; mostly it finds no difference. Otherwise three consistent reads follow, two seconds apart. A counter is
 * corrected when it did not change during any read and all reads found the same difference: a process that has written
 * a slice but not yet its counter would have to be met three times. While the campaign is being sent, only settled
 * shards are compared.
 */
export async function recountShards(
  campaign: CountedCampaign,
  shards: readonly number[],
  now: () => Date,
): Promise<Recount> {
  const dates = daysOfCampaign(campaign, now());
  const seen = await readTallies(campaign.workspaceId, campaign.id, { consistent: false, dates });
  const results = await Promise.all(shards.map((shard) => firstRead(campaign, shard, seen.shards[shard] ?? {}, dates)));
  if (results.some(({ isExpired }) => isExpired)) return 'expired';
  const wrong = results.filter(({ isRight }) => !isRight);
  const suspects = wrong.filter(({ changedAt }) => isSettled(campaign, changedAt, now())).map(({ shard }) => shard);
  if (suspects.length === 0) return wrong.length === 0 ? 'exact' : 'moving';
  const reads = [await readCounters(campaign, suspects, now)];
  while (reads.length < looksTaken) {
    await wait(betweenReadsMilliseconds);
    reads.push(await readCounters(campaign, suspects, now));
  }
  const outcomes = await Promise.all(suspects.map((shard) => correct(campaign, shard, reads)));
  return suspects.length === wrong.length && outcomes.every(Boolean) ? 'exact' : 'moving';
}

const looksTaken = 3;
const betweenReadsMilliseconds = 2000;

async function firstRead(campaign: CountedCampaign, shard: number, seen: Tally, dates: readonly string[]) {
  const { freeze, status } = campaign;
  const counted = await countShard({ campaign, freeze }, shard, { consistent: false });
  // In a campaign that was sent every slice was written: a missing one has expired.
  const isExpired = status !== 'sending' && counted.slices < slicesOf(freeze, shard);
  return { shard, isExpired, changedAt: counted.changedAt, isRight: isNothing(missingCounts(seen, counted, dates)) };
}

/** The differences between counters and slices. */
function missingCounts(seen: Tally, { tally, isDated }: CountedShard, dates: readonly string[]): Tally {
  const all = Object.entries(difference(seen, tally));
  return Object.fromEntries(
    all.filter(([name, count]) => {
      const day = dayCounterOf(name);
      return day === null || (dates.includes(day.date) && (isDated || count > 0));
    }),
  );
}

/** By shard, the differences between counters and slices; `isWhole` when every counter could be compared. */
interface CounterReading {
  readonly missing: ReadonlyMap<number, { readonly lost: Tally; readonly isWhole: boolean }>;
  readonly recounts: readonly number[];
}

async function readCounters(
  campaign: CountedCampaign,
  shards: readonly number[],
  now: () => Date,
): Promise<CounterReading> {
  const { workspaceId, id, freeze } = campaign;
  const dates = daysOfCampaign(campaign, now());
  const before = await readTallies(workspaceId, id, { consistent: true, dates });
  const counted = await Promise.all(shards.map((shard) => countShard({ campaign, freeze }, shard)));
  const after = await readTallies(workspaceId, id, { consistent: true, dates });
  const missing = shards.map((shard, index) => {
    const own = counted[index] ?? { tally: {}, changedAt: 0, isDated: false };
    const [first, last] = [before.shards[shard] ?? {}, after.shards[shard] ?? {}];
    const all = Object.entries(missingCounts(last, own, dates));
    const stable = all.filter(([name]) => isSettled(campaign, own.changedAt, now()) && first[name] === last[name]);
    return [shard, { lost: Object.fromEntries(stable), isWhole: stable.length === all.length }] as const;
  });
  return { missing: new Map(missing), recounts: after.recounts };
}

/** Corrects a shard; true when its counters are exact now. */
async function correct(campaign: CountedCampaign, shard: number, reads: readonly CounterReading[]): Promise<boolean> {
  const seen = reads.map(({ missing }) => missing.get(shard) ?? { lost: {}, isWhole: false });
  const last = seen.at(-1) ?? { lost: {}, isWhole: false };
  const isSame = ([name, count]: [string, number]) => seen.every(({ lost }) => lost[name] === count);
  const lost = Object.entries(last.lost).filter(isSame);
  const position = { workspaceId: campaign.workspaceId, campaignId: campaign.id, shard };
  const change = Object.fromEntries(lost);
  const isCorrected = await correctTally(position, change, { seen: reads.at(-1)?.recounts[shard] ?? 0 });
  if (isCorrected && lost.length > 0) {
    logger.warn('Counters of a campaign were corrected.', { ...position, counters: Object.keys(change) });
  }
  return isCorrected && last.isWhole && lost.length === Object.keys(last.lost).length;
}

const isSettled = ({ status }: CountedCampaign, changedAt: number, now: Date): boolean =>
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

/** After this time a process that changed a slice has written its counters, or has crashed. */
const settledMilliseconds = 90_000;
const secondReadMilliseconds = 2000;

/**
 * Corrects counters that a crashed process did not write: what is missing in two reads, two seconds apart, is lost.
 * Counters of feedback are only compared in settled shards. True when all outcomes are counted as in the slices.
 */
export async function correctTallies(
  run: { readonly campaign: Campaign; readonly freeze: Freeze; readonly now: () => Date },
  seen: Tallies,
  counted: readonly CountedShard[],
): Promise<boolean> {
  const { campaign, freeze } = run;
  const dates = daysOfCampaign({ ...campaign, freeze }, run.now());
  const missing = counted.map((shard, index) => missingOf(shard, seen.shards[index] ?? {}, dates, run.now()));
  if (missing.every(isNothing)) return true;
  await wait(secondReadMilliseconds);
  const again = await readTallies(campaign.workspaceId, campaign.id, { consistent: true, dates });
  const results = missing.map(async (first, shard) => {
    if (isNothing(first)) return true;
    const second = missingOf(await countShard(run, shard), again.shards[shard] ?? {}, dates, run.now());
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

function missingOf(counted: CountedShard, seen: Tally, dates: readonly string[], now: Date): Tally {
  const isSettled = now.getTime() - counted.changedAt > settledMilliseconds;
  const all = Object.entries(missingCounts(seen, counted, dates));
  return Object.fromEntries(all.filter(([name]) => isSettled || isOfOutcome(name)));
}

/** The sum of a shard's slices, and when the last of them changed (Unix milliseconds). */
export interface CountedShard {
  readonly tally: Tally;
  readonly changedAt: number;
  /** False when a release before this one began some of its slices: its days may count more than they say. */
  readonly isDated: boolean;
}

/** The counts of a slice, including those of its day. */
export const countsOf = (slice: Pick<Slice, 'sets' | 'day'>, size: number): Tally => ({
  ...countSlice(slice.sets, size),
  ...countDay(slice),
});

/** Reads every slice of a shard, page by page. `slices` is their number. */
async function countShard(
  { campaign, freeze }: { readonly campaign: Pick<Campaign, 'workspaceId' | 'id'>; readonly freeze: Freeze },
  shard: number,
  options?: { readonly consistent: boolean },
): Promise<CountedShard & { readonly slices: number }> {
  let [tally, changedAt, slices, isDated]: [Tally, number, number, boolean] = [{}, 0, 0, true];
  for await (const page of slicePages(campaign.workspaceId, campaign.id, shard, options)) {
    for (const { state, chunk, slice, changedAt: at } of page) {
      const group = chunkInfo(freeze, chunk);
      if (group) tally = sum([tally, countsOf(state, sizeOfSlice(group.people, slice))]);
      isDated &&= state.day !== null;
      changedAt = Math.max(changedAt, at);
      slices += 1;
    }
  }
  return { tally, changedAt, slices, isDated };
}
