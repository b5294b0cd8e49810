import {
  countsAfter,
  type DayCounts,
  firstReputationDay,
  judgeReputation,
  type Reputation,
} from '../domain/sending/reputation.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { notify } from '../platform/logger.ts';
import { daysOf, listDays, readUsage } from '../store/usage.ts';
import { resume, suspend } from '../store/workspace/workspaces.ts';
import { missingDays } from './campaigns/dayFigures.ts';
import type { Context } from './context.ts';
import { endedWorkspace, existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb } from './operatorVerb.ts';

type Judged = Pick<Workspace, 'id' | 'reputationBaseline'>;

/** The bounce and complaint rates of the last 30 days, without the counts before the workspace was last resumed. */
export async function currentReputation(workspace: Judged, now: Date): Promise<Reputation> {
  return judge(workspace, await listDays(workspace.id, firstDay(workspace, now)));
}

/** The same from days that are already read: at least those since `firstReputationDay`. */
export function reputationOf(workspace: Judged, days: readonly DayCounts[], now: Date): Reputation {
  const since = firstDay(workspace, now);
  return judge(
    workspace,
    days.filter(({ date }) => date >= since),
  );
}

function firstDay({ reputationBaseline: baseline }: Judged, now: Date): string {
  const first = firstReputationDay(now);
  return baseline && baseline.date > first ? baseline.date : first;
}

const judge = ({ reputationBaseline: baseline }: Judged, days: readonly DayCounts[]): Reputation =>
  judgeReputation(days.map((day) => (day.date === baseline?.date ? countsAfter(day, baseline) : day)));

/**
 * Rule 4, applied when bounces and complaints are counted, so that a send only reads the suspension. True when the
 * workspace is suspended now. A crashed worker leaves counters that lack messages but no bounces: before a suspension,
 * the slices of running campaigns are counted instead.
 */
export async function suspendIfExceeded(workspace: Workspace, now: Date): Promise<boolean> {
  if (workspace.suspension) return true;
  const since = firstDay(workspace, now);
  const { days, campaigns } = await readUsage(workspace.id, since);
  if (!judge(workspace, days).exceeded) return false;
  const lacking = await missingDays(workspace.id, campaigns, since, now);
  const { exceeded, bounceRate, complaintRate } = judge(workspace, daysOf([...days, ...lacking]));
  if (!exceeded) return false;
  // Raised before the write: after a crash in between there are two alarms instead of none.
  const rates = { bounce_rate: bounceRate, complaint_rate: complaintRate };
  notify('WorkspaceSuspended', 'A workspace may send no more.', { workspace_id: workspace.id, ...rates });
  await suspend(workspace.id, { since: now.toISOString(), bounceRate, complaintRate });
  return true;
}

/** Ends a suspension. Counts until now no longer matter, so that the next bounce does not suspend again. */
export const resumeSending = /* @__PURE__ */ operatorVerb(
  { action: 'sending.resume', needs: 'platform' },
  async (context: Context) => {
    const { id, suspension } = await existingWorkspace(context.workspaceId);
    if (suspension && !(await resumeFromNow(id, context.now))) throw endedWorkspace();
    return { object: 'sending' as const, workspace_id: id, suspended: false, was_suspended: suspension !== null };
  },
);

async function resumeFromNow(workspaceId: string, now: Date): Promise<boolean> {
  const date = now.toISOString().slice(0, 10);
  const [today] = (await listDays(workspaceId, date)).filter((day) => day.date === date);
  return resume(workspaceId, today ?? { date, sent: 0, delivered: 0, bounced: 0, complained: 0 });
}
