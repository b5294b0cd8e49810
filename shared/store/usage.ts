import type { DayFigures } from '../domain/sending/reputation.ts';
import { type CampaignDay, campaignDayOf, endOfDay, sumOfDay } from './campaignDays.ts';
import { monthUsageOf } from './quota/months.ts';
import { dayKey, monthKey, usagePartition } from './table/keys.ts';
import { type Item, queryAll, type TransactionPart } from './table/table.ts';
import { changeOnce, changePart } from './table/write.ts';

/** Counts by the day of the report. */
interface DayRecord {
  readonly bounced?: number;
  readonly complained?: number;
  readonly opened?: number;
  readonly expires_at?: number;
  /** Marker of a count of opens. */
  readonly last_opened?: string;
}

export type BounceAndComplaintCounts = Pick<DayRecord, 'bounced' | 'complained'>;

/** Adds to the day on which SES reported it: a part of a transaction. */
export const bounceOrComplaintPart = (
  workspaceId: string,
  day: string,
  { bounced, complained }: BounceAndComplaintCounts,
): TransactionPart =>
  changePart<DayRecord>(dayKey(workspaceId, day), {
    set: { expires_at: endOfDay(day) },
    add: { bounced: bounced || undefined, complained: complained || undefined },
  });

/** Counts openers on the day of the open: one write unit for all of a batch. */
export async function countOpened(workspaceId: string, day: string, opened: number): Promise<void> {
  if (opened === 0) return;
  const change = { set: { expires_at: endOfDay(day) }, add: { opened } };
  await changeOnce<DayRecord>(dayKey(workspaceId, day), change, { marker: 'last_opened' });
}

/** What a workspace sent, with its outcomes. */
interface Usage {
  readonly days: readonly DayFigures[];
  /** The campaigns' share, by campaign and day. */
  readonly campaigns: readonly (CampaignDay & Pick<DayFigures, 'sent' | 'delivered'>)[];
}

/**
 * Every day from `since` (`2026-10-22`) on, in one query. Sent and delivered count on the day of the send, bounces and
 * complaints on that of the report. Messages of unsettled buckets count as delivered.
 */
export async function readUsage(workspaceId: string, since: string): Promise<Usage> {
  const sort = { from: dayKey(workspaceId, since).sk, to: monthKey(workspaceId, '9999').sk };
  const items = await queryAll({ partition: usagePartition(workspaceId), sort });
  const campaigns = items.flatMap((item) => {
    const day = campaignDayOf(item);
    return day ? [{ ...day, sent: sumOfDay(item, 'sent'), delivered: sumOfDay(item, 'delivered') }] : [];
  });
  const parts = [...items.filter((item) => campaignDayOf(item) === null).flatMap(countsOf), ...campaigns];
  return { days: daysOf(parts).filter(({ date }) => date >= since), campaigns };
}

export const listDays = async (workspaceId: string, since: string): Promise<readonly DayFigures[]> =>
  (await readUsage(workspaceId, since)).days;

type DayPart = Partial<DayFigures> & Pick<DayFigures, 'date'>;

/** Parts of days added up, by date. */
export function daysOf(parts: readonly DayPart[]): DayFigures[] {
  const days = new Map<string, DayFigures>();
  for (const part of parts) {
    const day = days.get(part.date) ?? { date: part.date, sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0 };
    days.set(part.date, {
      date: day.date,
      sent: day.sent + (part.sent ?? 0),
      delivered: day.delivered + (part.delivered ?? 0),
      bounced: day.bounced + (part.bounced ?? 0),
      complained: day.complained + (part.complained ?? 0),
      opened: day.opened + (part.opened ?? 0),
    });
  }
  return [...days.values()];
}

function countsOf(item: Item): readonly DayPart[] {
  const [kind, date = ''] = String(item.sk).split('#');
  if (kind === 'MONTH') return monthUsageOf(item).days;
  const count = (name: string) => Number(item[name] ?? 0);
  const counts = { bounced: count('bounced'), complained: count('complained'), opened: count('opened') };
  return [{ date, ...counts }];
}
