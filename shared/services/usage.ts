import type { Output } from '../contract/route.ts';
import type { usageRoute } from '../contract/routes/account.ts';
import { monthOf, plans, quotaResetsAt } from '../domain/sending/quota.ts';
import { firstReputationDay } from '../domain/sending/reputation.ts';
import { getMonth } from '../store/quota/months.ts';
import { listDays } from '../store/usage.ts';
import type { Context } from './context.ts';
import { existingOrEnded } from './existingWorkspace.ts';
import { requireRole } from './operatorVerb.ts';
import { reputationOf } from './reputation.ts';

const dayMilliseconds = 86_400_000;

/**
 * The counts of the last days (UTC), today last, days without mail included, with the quota of the month and the
 * reputation. Two queries and one read, however many days are asked for.
 */
export async function showUsage(
  context: Context,
  { days }: { readonly days: number },
): Promise<Output<typeof usageRoute>> {
  requireRole(context, 'read');
  const { workspaceId, now } = context;
  const today = Date.parse(now.toISOString().slice(0, 10));
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(today - (days - 1 - index) * dayMilliseconds).toISOString().slice(0, 10),
  );
  const [since = ''] = [dates[0] ?? '', firstReputationDay(now)].sort();
  const [workspace, { used }, counted] = await Promise.all([
    existingOrEnded(workspaceId),
    getMonth(workspaceId, monthOf(now)),
    listDays(workspaceId, since),
  ]);
  const found = new Map(counted.map((day) => [day.date, day]));
  const { bounceRate, complaintRate } = reputationOf(workspace, counted, now);
  return {
    object: 'usage',
    days: dates.map((date) => {
      const { sent = 0, delivered = 0, opened = 0, bounced = 0, complained = 0 } = found.get(date) ?? {};
      return { date, sent, delivered, opened, bounced, complained };
    }),
    quota: { limit: plans[workspace.plan].monthlyQuota, used, resets_at: quotaResetsAt(now) },
    reputation: {
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
      suspended: workspace.suspension !== null,
    },
  };
}
