import type { MailKind } from '../../../../shared/domain/workspace/workspace.ts';
import { listKinds } from '../../../../shared/services/kinds/list.ts';
import { removeKind } from '../../../../shared/services/kinds/remove.ts';
import { setKind } from '../../../../shared/services/kinds/set.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace } from '../../context.ts';
import { fields, type Output } from '../../output.ts';

export const kindNoun: Noun = (program) => {
  const noun = program.command('kind').description('kinds of mail that people may leave by the link of a message');
  noun
    .command('list')
    .description('show the kinds that are offered')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(async (options) => shown(await listKinds(await inWorkspace(options)))));
  noun
    .command('set')
    .description('offer the mail that bears a tag as a kind, or give it another name')
    .argument('<tag>', 'name and value of the tag: category:newsletter')
    .requiredOption('--name <text>', 'what people read')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { name: string }>(set));
  noun
    .command('remove')
    .description('offer a kind no longer: who had left it gets its mail again')
    .argument('<tag>', 'name and value of the tag')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
};

const set = async ({ name, ...options }: WorkspaceOption & { name: string }, tag = ''): Promise<Output> =>
  shown(await setKind(await inWorkspace(options), { tag, name }));

const remove = async (options: WorkspaceOption, tag = ''): Promise<Output> =>
  shown(await removeKind(await inWorkspace(options), { tag }));

const shown = (kinds: readonly MailKind[]): Output => ({
  json: { object: 'list', data: kinds },
  text: kinds.length === 0 ? 'No kinds are offered.' : fields(kinds.map(({ tag, name }) => [tag, name])),
});
