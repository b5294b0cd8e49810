import { listDays } from '../../store/sending/days.ts';
import { resume } from '../../store/workspace/workspaces.ts';

/** Lifts a suspension; what was counted until now is forgiven, so that the next bounce does not suspend again. */
export async function resumeSending(workspaceId: string, now: Date): Promise<void> {
  const date = now.toISOString().slice(0, 10);
  const [today] = (await listDays(workspaceId, date)).filter((day) => day.date === date);
  await resume(workspaceId, today ?? { date, sent: 0, delivered: 0, bounced: 0, complained: 0 });
}
