import { type PlanName, plans } from '../../domain/sending/plan.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from './existing.ts';

/** Changes how much a workspace may send in a month, at once. */
export const setPlan = operatorVerb(
  { action: 'plan.set', needs: 'own', subject: ({ plan }) => plan },
  async (context: Context, { plan }: { readonly plan: PlanName }) => {
    const { id } = await existingWorkspace(context.workspaceId);
    await updateSettings(id, { plan });
    return { object: 'plan' as const, workspace_id: id, name: plan, monthly_quota: plans[plan].monthlyQuota };
  },
);
