import { ServiceError } from '../contract/errors.ts';
import type { Output } from '../contract/route.ts';
import type { accountRoute } from '../contract/routes/account.ts';
import { monthOf, plans, quotaResetsAt } from '../domain/sending/quota.ts';
import { getMonth } from '../store/quota/months.ts';
import { getWorkspace } from '../store/workspace/workspaces.ts';
import type { Context, KeyActor } from './context.ts';
import { currentReputation } from './reputation.ts';

/** The workspace of the key: its plan and remaining quota, reputation, domains and senders. */
export async function getAccount({ actor, workspaceId, now }: Context<KeyActor>): Promise<Output<typeof accountRoute>> {
  const [workspace, month] = await Promise.all([getWorkspace(workspaceId), getMonth(workspaceId, monthOf(now))]);
  if (!workspace) throw new ServiceError('internal_error');
  const { bounceRate, complaintRate } = await currentReputation(workspace, now);
  const { monthlyQuota } = plans[workspace.plan];
  return {
    object: 'account',
    workspace: { id: workspace.id, name: workspace.name },
    key: { id: actor.keyId, name: actor.keyName, last_four: actor.lastFour },
    scopes: actor.scopes,
    plan: { name: workspace.plan, monthly_quota: monthlyQuota },
    emails_remaining: Math.max(0, monthlyQuota - month.used),
    quota_resets_at: quotaResetsAt(now),
    sending: {
      suspended: workspace.suspension !== null,
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
    },
    domains: workspace.domains.map(({ domain, verified }) => ({ domain, verified })),
    senders: workspace.senders.map((sender) => ({ email: sender.email, name: sender.name, default: sender.default })),
  };
}
