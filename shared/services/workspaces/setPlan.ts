import { type PlanName, plans } from '../../domain/sending/plan.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from './existing.ts';

/** Changes how much a workspace may send in a month, at once. */
export async function setPlan(context: Context, { plan }: { readonly plan: PlanName }) {
  requireOperator(context);
  const { id } = await existingWorkspace(context.workspaceId);
  await updateSettings(id, { plan });
  return { object: 'plan' as const, workspace_id: id, name: plan, monthly_quota: plans[plan].monthlyQuota };
}
