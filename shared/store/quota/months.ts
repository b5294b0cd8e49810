import { dateOf, type Minute, minuteOf, settlesAt } from '../../domain/sending/settlement.ts';
import { dueUsagePartition, dueUsageShards, type Indexed, monthKey } from '../table/keys.ts';
import { getItem, type Item, queryEach } from '../table/table.ts';
import { changeItem } from '../table/write.ts';

/**
 * The usage of a workspace in a month. `used` is the quota used by all sends, campaigns included. For each unsettled
 * bucket it also has the share of that bucket's single emails: a few numbers, whatever the number of concurrent sends.
 * See docs/design/table.md.
 */
export interface MonthRecord extends Indexed<'due'> {
  readonly used?: number;
  /** The bucket of the latest reservation; a `Minute` counts minutes since the epoch. */
  readonly last_minute?: Minute;
  readonly settled_through?: Minute;
  readonly expires_at?: number;
  /** Markers of the changes that must be made once. */
  readonly last_take?: string;
  readonly last_return?: string;
  /**
   * By unsettled bucket, such as `t29000000`: recipients that count in the quota, and those of them that count in the
   * reputation.
   */
  readonly [recipients: `t${number}`]: number;
  readonly [counted: `c${number}`]: number;
  /** Sent and delivered, by the day of the month on which they were sent: `d21`, `v21`. */
  readonly [sent: `d${number}`]: number;
  readonly [delivered: `v${number}`]: number;
}

export const minuteRecipientsName = (minute: Minute) => `t${minute}` as const;
export const minuteCountedName = (minute: Minute) => `c${minute}` as const;
export const daySentName = (date: string) => `d${date.slice(8, 10)}` as `d${number}`;
export const dayDeliveredName = (date: string) => `v${date.slice(8, 10)}` as `v${number}`;

export interface MonthPosition {
  readonly workspaceId: string;
  /** `2026-11`. */
  readonly month: string;
}

export interface MonthUsage extends MonthPosition {
  readonly used: number;
  /** The unsettled buckets, oldest first. */
  readonly minutes: readonly MinuteUsage[];
  readonly lastMinute: Minute | undefined;
  /** Sent and delivered, by the day of the send; messages of unsettled buckets count as delivered. */
  readonly days: readonly { readonly date: string; readonly sent: number; readonly delivered: number }[];
}

interface MinuteUsage {
  readonly minute: Minute;
  /** Counted in the quota. */
  readonly recipients: number;
  /** Of these, counted as sent on the day and in the reputation: without mail to SES's simulator. */
  readonly counted: number;
}

/** A month's usage, strongly consistent; zero when nothing was sent. */
export async function getMonth(workspaceId: string, month: string): Promise<MonthUsage> {
  const key = monthKey(workspaceId, month);
  return monthUsageOf((await getItem(key)) ?? key);
}

/** How much of a month's quota is used, strongly consistent. */
export async function getUsed(workspaceId: string, month: string): Promise<number> {
  return Number((await getItem(monthKey(workspaceId, month)))?.used ?? 0);
}

const duePartitions = Array.from({ length: dueUsageShards }, (_, shard) => dueUsagePartition(shard));

/**
 * Months with buckets that may be settled at `now`, the longest overdue first: a few empty queries when there are none.
 */
export async function listDueMonths(now: Date, limitOfShard: number): Promise<MonthPosition[]> {
  const sort = { upTo: now.toISOString() };
  return (await queryEach(duePartitions, { index: 'due', sort, limit: limitOfShard })).map(positionOf);
}

/**
 * Months whose next settlement is later than any process with a correct clock would have set it. A process whose clock
 * is ahead wrote it, so older buckets of the month may be due already.
 */
export async function listMonthsAhead(now: Date, limitOfShard: number): Promise<MonthPosition[]> {
  const sort = { above: latestSettlement(now).toISOString() };
  return (await queryEach(duePartitions, { index: 'due', sort, limit: limitOfShard })).map(positionOf);
}

/** When the newest bucket that can exist now is settled. Clocks may differ by a minute. */
export const latestSettlement = (now: Date): Date => settlesAt(minuteOf(now) + 1);

/** Has the sweeper check the month again at `until`, if it still has something to settle. */
export async function putOffMonth({ workspaceId, month }: MonthPosition, until: Date): Promise<void> {
  await changeItem<MonthRecord>(monthKey(workspaceId, month), {
    set: { due_sk: until.toISOString() },
    if: [['due_pk', 'exists']],
  });
}

function positionOf(item: Item): MonthPosition {
  const [, workspaceId = ''] = String(item.pk).split('#');
  const [, month = ''] = String(item.sk).split('#');
  return { workspaceId, month };
}

/** The usage of a stored month. */
export function monthUsageOf(item: Item): MonthUsage {
  const position = positionOf(item);
  const numbers = (pattern: RegExp) =>
    Object.entries(item).flatMap(([name, value]) => {
      const key = pattern.exec(name)?.[1];
      return key === undefined ? [] : ([[key, Number(value)]] as const);
    });
  const counted = new Map(numbers(/^c(\d+)$/));
  const minutes = numbers(/^t(\d+)$/)
    .map(([minute, recipients]) => ({ minute: Number(minute), recipients, counted: counted.get(minute) ?? 0 }))
    .sort((a, b) => a.minute - b.minute);
  return {
    ...position,
    used: Number(item.used ?? 0),
    minutes,
    lastMinute: item.last_minute as Minute | undefined,
    days: [
      ...numbers(/^d(\d\d)$/).map(([day, sent]) => ({ date: `${position.month}-${day}`, sent, delivered: 0 })),
      ...numbers(/^v(\d\d)$/).map(([day, delivered]) => ({ date: `${position.month}-${day}`, sent: 0, delivered })),
      ...minutes.map(({ minute, counted: delivered }) => ({ date: dateOf(minute), sent: 0, delivered })),
    ],
  };
}
