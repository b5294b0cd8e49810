import { listDays } from '../../store/sending/days.ts';
import { resume } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** Lifts a suspension; what was counted until now is forgiven, so that the next bounce does not suspend again. */
export const resumeSending = operatorVerb({ action: 'sending.resume', needs: 'own' }, async (context: Context) => {
  const { id, suspension } = await existingWorkspace(context.workspaceId);
  if (suspension) await forgive(id, context.now);
  return { object: 'sending' as const, workspace_id: id, suspended: false, was_suspended: suspension !== null };
});

async function forgive(workspaceId: string, now: Date): Promise<void> {
  const date = now.toISOString().slice(0, 10);
  const [today] = (await listDays(workspaceId, date)).filter((day) => day.date === date);
  await resume(workspaceId, today ?? { date, sent: 0, delivered: 0, bounced: 0, complained: 0 });
}
