import type { DayFigures } from '../../domain/sending/reputation.ts';
import { listDays } from '../../store/sending/days.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const dayMilliseconds = 86_400_000;

/** What each of the last days (UTC) sent and what became of it, today last; days without mail too. One query. */
export async function dailyCounts(context: Context, { days }: { readonly days: number }): Promise<DayFigures[]> {
  requireOperator(context, 'read');
  const today = Date.parse(context.now.toISOString().slice(0, 10));
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(today - (days - 1 - index) * dayMilliseconds).toISOString().slice(0, 10),
  );
  const found = new Map((await listDays(context.workspaceId, dates[0] ?? '')).map((day) => [day.date, day]));
  return dates.map((date) => found.get(date) ?? { date, sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0 });
}
