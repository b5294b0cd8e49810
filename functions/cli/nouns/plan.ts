import { Argument } from 'commander';
import { type PlanName, planNames } from '../../../shared/domain/sending/plan.ts';
import { setPlan } from '../../../shared/services/workspaces/setPlan.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
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

async function set(options: WorkspaceOption, name?: string): Promise<Output> {
  const plan = await setPlan(await inWorkspace(options), { plan: name as PlanName });
  return { json: plan, text: `The plan is ${plan.name}: ${plan.monthly_quota} emails a month.` };
}
