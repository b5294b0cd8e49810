import { type DayCounter, dayCounterName, dayCounterOf, dayCounters } from '../domain/campaign/dayCounts.ts';
import type { Tally } from '../domain/campaign/report.ts';
import { epochSeconds, secondsInDay } from '../platform/clock.ts';
import { campaignDayKey } from './table/keys.ts';
import type { Item, TransactionPart } from './table/table.ts';
import { changeOnce, changePart } from './table/write.ts';

/**
 * What a campaign sent and had delivered on a day, by shard, so that a recount can correct one shard after the other.
 */
interface CampaignDayRecord {
  readonly expires_at: number;
  /** Marker of a count. */
  readonly last_count?: string;
  readonly [sent: `sent#${number}`]: number;
  readonly [delivered: `delivered#${number}`]: number;
}

export interface CampaignDay {
  readonly campaignId: string;
  readonly date: string;
}

type Position = CampaignDay & { readonly workspaceId: string };

/** The console shows 90 days. */
export const keptDays = 100;
export const endOfDay = (date: string): number => epochSeconds(new Date(`${date}T00:00:00Z`)) + keptDays * secondsInDay;

/** Counters by their stored names. */
type Counts = readonly (readonly [`${DayCounter}#${number}`, number])[];

const changeOf = (date: string, add: Counts) => ({ set: { expires_at: endOfDay(date) }, add });

const keyOf = ({ workspaceId, date, campaignId }: Position) => campaignDayKey(workspaceId, date, campaignId);

/** Adds to a day of a campaign, once even if the answer is lost: one write unit for any number of slices. */
export async function addToCampaignDay(position: Position, counts: Counts): Promise<void> {
  if (counts.length === 0) return;
  await changeOnce<CampaignDayRecord>(keyOf(position), changeOf(position.date, counts), { marker: 'last_count' });
}

/** The same as a part of a transaction. Without counts it records that the campaign is sent on that day. */
export const campaignDayPart = (position: Position, counts: Counts = []): TransactionPart =>
  changePart<CampaignDayRecord>(keyOf(position), changeOf(position.date, counts));

/** The day counters of a shard, by date and under their stored names. */
export function countsByDate(shard: number, tally: Tally): ReadonlyMap<string, Counts> {
  const found = Object.entries(tally).flatMap(([name, count]) => {
    const day = dayCounterOf(name);
    return day && count !== 0 ? [{ ...day, count }] : [];
  });
  return new Map(
    [...Map.groupBy(found, ({ date }) => date)].map(([date, own]) => [
      date,
      own.map(({ counter, count }) => [`${counter}#${shard}`, count] as const),
    ]),
  );
}

/** The day and the campaign of a stored item; null for any other item. */
export function campaignDayOf({ sk }: Item): CampaignDay | null {
  const [kind, date = '', campaignId] = String(sk).split('#');
  return kind === 'DAY' && campaignId !== undefined ? { date, campaignId } : null;
}

/** The counters of one shard on the day of a stored item. */
export function tallyOfDay(item: Item, shard: number): Tally {
  const { date = '' } = campaignDayOf(item) ?? {};
  return Object.fromEntries(
    dayCounters.flatMap((counter) => {
      const count = Number(item[`${counter}#${shard}`] ?? 0);
      return count === 0 ? [] : [[dayCounterName(date, counter), count]];
    }),
  );
}

/** The total of a stored item over all shards. */
export function sumOfDay(item: Item, counter: DayCounter): number {
  const own = Object.entries(item).filter(([name]) => name.startsWith(`${counter}#`));
  return own.reduce((sum, [, count]) => sum + Number(count), 0);
}
