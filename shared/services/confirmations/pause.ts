import { countsAfter, type DayCounts, firstReputationDay, judgeReputation } from '../../domain/sending/reputation.ts';
import { isPaused, type Workspace } from '../../domain/workspace/workspace.ts';
import { addSeconds } from '../../platform/clock.ts';
import { notify } from '../../platform/logger.ts';
import { listServiceMail } from '../../store/serviceMail.ts';
import { endConfirmationPause, pauseConfirmations } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb } from '../operatorVerb.ts';

/** Long enough to notice a flood, short enough for a form that nobody maintains. */
const pauseSeconds = 86_400;

/**
 * Pauses the confirmations of a workspace when their bounce or complaint rate exceeds the threshold for its other mail. Other mail
 * continues, since anybody can type addresses into a form. Outcomes that led to an earlier pause no longer count.
 */
export async function pauseConfirmationsIfExceeded(workspace: Workspace, now: Date): Promise<void> {
  if (isPaused(workspace, now)) return;
  const counted = await countsSincePause(workspace, now);
  const { exceeded, bounceRate, complaintRate } = judgeReputation(counted);
  if (!exceeded) return;
  // Raised before the write: after a crash in between there are two alarms instead of none.
  const rates = { bounce_rate: bounceRate, complaint_rate: complaintRate };
  notify('ConfirmationsPaused', 'A workspace sends no confirmations for a day.', {
    workspace_id: workspace.id,
    ...rates,
  });
  const today = now.toISOString().slice(0, 10);
  const [baseline = noCounts(today)] = await listServiceMail(workspace.id, today);
  const pause = {
    since: now.toISOString(),
    until: addSeconds(now, pauseSeconds).toISOString(),
    bounceRate,
    complaintRate,
  };
  await pauseConfirmations(workspace.id, { ...pause, baseline }, now);
}

const noCounts = (date: string): DayCounts => ({ date, sent: 0, delivered: 0, bounced: 0, complained: 0 });

async function countsSincePause(
  { id, confirmationPause }: Pick<Workspace, 'id' | 'confirmationPause'>,
  now: Date,
): Promise<DayCounts[]> {
  const baseline = confirmationPause?.baseline;
  const first = firstReputationDay(now);
  const days = await listServiceMail(id, baseline && baseline.date > first ? baseline.date : first);
  return days.map((day) => (baseline && day.date === baseline.date ? countsAfter(day, baseline) : day));
}

/** Resumes confirmations. Outcomes until now no longer count. */
export const resumeConfirmations = /* @__PURE__ */ operatorVerb(
  { action: 'form.resume', needs: 'own' },
  async ({ workspaceId, now }: Context) => {
    const workspace = await existingWorkspace(workspaceId);
    const wasPaused = isPaused(workspace, now);
    if (wasPaused) {
      const today = now.toISOString().slice(0, 10);
      const [baseline = noCounts(today)] = await listServiceMail(workspaceId, today);
      await endConfirmationPause(workspaceId, baseline, now);
    }
    return { object: 'confirmations' as const, workspace_id: workspaceId, paused: false, was_paused: wasPaused };
  },
);
