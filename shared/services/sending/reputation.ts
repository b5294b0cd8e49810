import {
  type DayCounts,
  firstReputationDay,
  judgeReputation,
  type Reputation,
} from '../../domain/sending/reputation.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { notify } from '../../platform/notice.ts';
import { listDays } from '../../store/sending/days.ts';
import { suspend } from '../../store/workspace/workspaces.ts';

/** The rates of the last 30 days, without what an operator has forgiven. One query. */
export async function currentReputation(
  workspace: Pick<Workspace, 'id' | 'reputationBaseline'>,
  now: Date,
): Promise<Reputation> {
  const baseline = workspace.reputationBaseline;
  const first = firstReputationDay(now);
  const days = await listDays(workspace.id, baseline && baseline.date > first ? baseline.date : first);
  return judgeReputation(days.map((day) => (day.date === baseline?.date ? without(day, baseline) : day)));
}

function without(day: DayCounts, baseline: DayCounts): DayCounts {
  return {
    date: day.date,
    sent: Math.max(0, day.sent - baseline.sent),
    delivered: Math.max(0, day.delivered - baseline.delivered),
    bounced: Math.max(0, day.bounced - baseline.bounced),
    complained: Math.max(0, day.complained - baseline.complained),
  };
}

/** Rule 4, applied where the counts change: a send then only reads the mark. True when sending is now suspended. */
export async function suspendIfDamaged(workspace: Workspace, now: Date): Promise<boolean> {
  if (workspace.suspension) return true;
  const { exceeded, bounceRate, complaintRate } = await currentReputation(workspace, now);
  if (!exceeded) return false;
  // Before the mark: a crash in between says it twice, and not never.
  const rates = { bounce_rate: bounceRate, complaint_rate: complaintRate };
  notify('WorkspaceSuspended', 'A workspace may send no more.', { workspace_id: workspace.id, ...rates });
  await suspend(workspace.id, { since: now.toISOString(), bounceRate, complaintRate });
  return true;
}
