import { monthOf, plans } from '../../domain/sending/plan.ts';
import { getMonth } from '../../store/sending/usage.ts';
import { getDeletion } from '../../store/workspace/deletions.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { currentReputation } from '../sending/reputation.ts';
import { existingWorkspace } from './existing.ts';

/** All that an operator looks at: settings, domains, senders, what the month has left and how mail is received. */
export async function showWorkspace(context: Context) {
  requireOperator(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  const [{ used }, { bounceRate, complaintRate }, deletion] = await Promise.all([
    getMonth(workspace.id, monthOf(context.now)),
    currentReputation(workspace, context.now),
    getDeletion(workspace.id),
  ]);
  return {
    object: 'workspace' as const,
    id: workspace.id,
    name: workspace.name,
    public_id: workspace.publicId,
    plan: workspace.plan,
    language: workspace.language,
    monthly_quota: plans[workspace.plan].monthlyQuota,
    used_this_month: used,
    sending: {
      suspended: workspace.suspension !== null,
      suspended_at: workspace.suspension?.since ?? null,
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
    },
    tracking: { opens: workspace.trackOpens, clicks: workspace.trackClicks },
    domains: workspace.domains,
    senders: workspace.senders,
    deletion: deletion && {
      requested_at: deletion.requestedAt,
      deleted: deletion.deleted,
      scanned: deletion.scanned,
      passes: deletion.passes,
    },
    created_at: workspace.createdAt,
  };
}
