import { monthOf, plans } from '../../domain/sending/plan.ts';
import type { Reputation } from '../../domain/sending/reputation.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getMonth } from '../../store/sending/usage.ts';
import { currentReputation } from '../sending/reputation.ts';

/** What an operator looks at: what the month has left and how mail is received. */
export async function standingOf(
  workspace: Workspace,
  now: Date,
): Promise<{ monthlyQuota: number; used: number; reputation: Reputation }> {
  const [{ used }, reputation] = await Promise.all([
    getMonth(workspace.id, monthOf(now)),
    currentReputation(workspace, now),
  ]);
  return { monthlyQuota: plans[workspace.plan].monthlyQuota, used, reputation };
}
