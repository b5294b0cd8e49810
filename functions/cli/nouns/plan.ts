import { Argument } from 'commander';
import { type PlanName, planNames, plans } from '../../../shared/domain/sending/plan.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { updateSettings } from '../../../shared/store/workspace/workspaces.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import type { Output } from '../output.ts';

export const planNoun: Noun = (program) => {
  const noun = program.command('plan').description('how much a workspace may send');
  noun
    .command('set')
    .description('change the plan, at once')
    .addArgument(new Argument('<plan>', 'monthly quota').choices(planNames))
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(set));
};

async function set(options: WorkspaceOption, plan?: string): Promise<Output> {
  const { id } = await findWorkspace(options.workspace);
  const chosen = plan as PlanName;
  await updateSettings(id, { plan: chosen });
  const { monthlyQuota } = plans[chosen];
  return {
    json: { object: 'plan', workspace_id: id, name: chosen, monthly_quota: monthlyQuota },
    text: `The plan is ${chosen}: ${monthlyQuota} emails a month.`,
  };
}
