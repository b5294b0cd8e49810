import { dayCounterOf } from '../../domain/campaign/dayCounts.ts';
import { isOfOutcome, sum, type Tally } from '../../domain/campaign/report.ts';
import { nowMilliseconds } from '../../platform/clock.ts';
import { campaignDayPart, countsByDate, tallyOfDay } from '../campaignDays.ts';
import { batchGet } from '../table/batches.ts';
import { campaignDayKey, campaignShards, tallyKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeOnce, changePart } from '../table/write.ts';

/**
 * The counters of a report. Their names contain dots and labels, so they cannot clash with the record's own attributes.
 */
interface TallyRecord {
  /** How often a recount has corrected it. */
  readonly recounts?: number;
  /** When a recipient last got an outcome, in Unix milliseconds. */
  readonly moved_at?: number;
  /** Marker of the last change. */
  readonly last_change?: string;
  readonly [counter: `n#${string}`]: number;
}

const prefix = 'n#' as const;

interface TallyPosition {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly shard: number;
}

/** Changes the counters of a shard, once even if the answer is lost: one write unit, however many counters. */
export async function addToTally(position: TallyPosition, change: Tally): Promise<void> {
  const add = countersOf(change);
  const isOutcome = Object.keys(change).some(isOfOutcome);
  const set = { moved_at: isOutcome ? nowMilliseconds() : undefined };
  if (add.length > 0) await changeOnce<TallyRecord>(keyOf(position), { set, add }, { marker: 'last_change' });
}

/**
 * Corrects the counters of a shard, day counters included, to the result of a recount. Fails when another recount
 * corrected them since they were read: both would add what is missing. False in that case.
 */
export async function correctTally(
  position: TallyPosition,
  change: Tally,
  { seen }: { readonly seen: number },
): Promise<boolean> {
  const add = countersOf(change);
  const days = [...countsByDate(position.shard, change)];
  if (add.length === 0 && days.length === 0) return true;
  const correction = { set: { recounts: seen + 1 }, add, expect: { recounts: seen || undefined } };
  const parts = days.map(([date, counts]) => campaignDayPart({ ...position, date }, counts));
  return (await transact([changePart<TallyRecord>(keyOf(position), correction), ...parts])) === null;
}

/** The record never expires: without these 16 small items a sent campaign would appear to be waiting. */
const keyOf = ({ workspaceId, campaignId, shard }: TallyPosition) => tallyKey(workspaceId, campaignId, shard);

/** Day counters have items of their own. */
const countersOf = (change: Tally) =>
  Object.entries(change)
    .filter(([name, count]) => count !== 0 && dayCounterOf(name) === null)
    .map(([name, count]) => [`${prefix}${name}`, count] as const);

export interface Tallies {
  readonly shards: readonly Tally[];
  /** By shard: how often a recount corrected it. */
  readonly recounts: readonly number[];
  readonly total: Tally;
  /** When a recipient last got an outcome, in Unix milliseconds; 0 for never. */
  readonly movedAt: number;
}

/**
 * The counters by shard and in total: 16 items, mostly half a read unit each. Day counters are read for the given
 * dates.
 */
export async function readTallies(
  workspaceId: string,
  campaignId: string,
  { dates = [], ...options }: { readonly consistent: boolean; readonly dates?: readonly string[] } = {
    consistent: false,
  },
): Promise<Tallies> {
  const keys = Array.from({ length: campaignShards }, (_, shard) => tallyKey(workspaceId, campaignId, shard));
  const dayKeys = dates.map((date) => campaignDayKey(workspaceId, date, campaignId));
  const found = await batchGet([...keys, ...dayKeys], options);
  const items = new Map(found.map((item) => [String(item.pk), item]));
  const days = found.filter(({ sk }) => dayKeys.some((key) => key.sk === sk));
  const shards = keys.map(({ pk }, shard) =>
    Object.assign({}, tallyOf(items.get(pk) ?? {}), ...days.map((item) => tallyOfDay(item, shard))),
  );
  const recounts = keys.map(({ pk }) => Number(items.get(pk)?.recounts ?? 0));
  const movedAt = Math.max(0, ...[...items.values()].map((item) => Number(item.moved_at ?? 0)));
  return { shards, recounts, total: sum(shards), movedAt };
}

function tallyOf(item: Item): Tally {
  const counters = Object.entries(item).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counters.map(([name, count]) => [name.slice(prefix.length), Number(count)]));
}
