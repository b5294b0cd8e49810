import type { DayFigures } from '../../domain/sending/reputation.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { dayKey, monthKey, usagePartition } from '../table/keys.ts';
import { type Item, queryAll, tableName } from '../table/table.ts';
import { updateOnce } from '../table/updateOnce.ts';
import { dayDeliveredName, daySentName, monthUsageOf } from './usage.ts';

/** What is counted at the moment of its report. */
export interface DamageCounts {
  readonly bounced?: number;
  readonly complained?: number;
}

/** The console shows 90. */
const keptDays = 100;

/** Adds to the day on which the provider told of it; an update as a part of a transaction. */
export const damageUpdate = (workspaceId: string, day: string, counts: DamageCounts) =>
  dayUpdate(workspaceId, day, { ...counts });

/** Counts people who opened, on the day of it: one write unit for as many as a batch told of. */
export async function countOpened(workspaceId: string, day: string, opened: number): Promise<void> {
  if (opened > 0) await updateOnce(dayUpdate(workspaceId, day, { opened }), { mark: 'last_opened' });
}

function dayUpdate(workspaceId: string, day: string, counts: Readonly<Record<string, number>>) {
  const given = Object.entries(counts).filter(([, count]) => count);
  return {
    TableName: tableName(),
    Key: dayKey(workspaceId, day),
    UpdateExpression: `SET expires_at = :expires ADD ${given.map(([name]) => `${name} :${name}`).join(', ')}`,
    ExpressionAttributeValues: {
      ':expires': epochSeconds(new Date(`${day}T00:00:00Z`)) + keptDays * secondsInDay,
      ...Object.fromEntries(given.map(([name, count]) => [`:${name}`, count])),
    },
  };
}

/** Counts messages of a campaign on the day on which they went out, or were reported as delivered: one write unit. */
export async function countCampaignMessages(
  workspaceId: string,
  date: string,
  counts: { readonly sent?: number; readonly delivered?: number },
): Promise<void> {
  const entries = Object.entries({ [daySentName(date)]: counts.sent, [dayDeliveredName(date)]: counts.delivered });
  const given = entries.filter(([, count]) => count);
  if (given.length === 0) return;
  const update = {
    Key: monthKey(workspaceId, date.slice(0, 7)),
    UpdateExpression: `ADD ${given.map((_, index) => `#n${index} :v${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(given.map(([name], index) => [`#n${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(given.map(([, count], index) => [`:v${index}`, count])),
  };
  await updateOnce(update, { mark: 'last_count' });
}

/**
 * Every day from `since` (`2026-10-22`) on, in one query. Sent and delivered belong to the day of the send, bounces and
 * complaints to that of their report. Until a minute is settled, what it sent passes for delivered.
 */
export async function listDays(workspaceId: string, since: string): Promise<DayFigures[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': usagePartition(workspaceId),
      ':first': dayKey(workspaceId, since).sk,
      ':last': monthKey(workspaceId, '9999').sk,
    },
  });
  const days = new Map<string, DayFigures>();
  for (const part of items.flatMap(countsOf)) {
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
  return [...days.values()].filter(({ date }) => date >= since);
}

function countsOf(item: Item): readonly (Partial<DayFigures> & Pick<DayFigures, 'date'>)[] {
  const [kind, date = ''] = String(item.sk).split('#');
  if (kind === 'MONTH') return monthUsageOf(item).days;
  // The release before counted deliveries on the day of their report, too.
  const count = (name: string) => Number(item[name] ?? 0);
  const counts = { bounced: count('bounced'), complained: count('complained'), opened: count('opened') };
  return [{ date, delivered: count('delivered'), ...counts }];
}
