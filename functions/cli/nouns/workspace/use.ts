import { findWorkspace } from '../../../../shared/services/workspaces/find.ts';
import { action, type GlobalOptions, type Noun } from '../../action.ts';
import { chooseWorkspace } from '../../connect/chosen.ts';
import { operator } from '../../context.ts';
import { type Output, printable } from '../../output.ts';

export const useNoun: Noun = (program) => {
  program
    .command('use')
    .description('choose the workspace that commands without --workspace are about')
    .argument('<workspace>', 'its name or its id; one that is made is chosen at once')
    .action(action(use));
};

async function use(options: GlobalOptions, wanted = ''): Promise<Output> {
  const { context, name } = await findWorkspace(operator(), { wanted });
  chooseWorkspace(options, context.workspaceId);
  return {
    json: { object: 'workspace', id: context.workspaceId, name },
    text: `Commands without --workspace are now about ${printable(name)} (${context.workspaceId}).`,
  };
}
