import type { MailKind } from '../../../shared/domain/workspace/workspace.ts';
import { listKinds, removeKind, setKind } from '../../../shared/services/kinds.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const kindCommands: CommandGroup = (program) => {
  const group = program.command('kind').description('kinds of mail that people can leave one by one');
  group
    .command('list')
    .description('show the kinds of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(async (options) => outputOf(await listKinds(await inWorkspace(options)))));
  group
    .command('set')
    .description('make the mail with a tag a kind that people can leave, or rename it')
    .argument('<tag>', 'name and value of the tag: category:newsletter')
    .requiredOption('--name <text>', 'its name on the pages for people')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { name: string }>(set));
  group
    .command('remove')
    .description('remove a kind; people who had left it get its mail again')
    .argument('<tag>', 'name and value of the tag')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
};

const set = async ({ name, ...options }: WorkspaceOption & { name: string }, tag = ''): Promise<CommandOutput> =>
  outputOf(await setKind(await inWorkspace(options), { tag, name }));

const remove = async (options: WorkspaceOption, tag = ''): Promise<CommandOutput> =>
  outputOf(await removeKind(await inWorkspace(options), { tag }));

const outputOf = (kinds: readonly MailKind[]): CommandOutput => ({
  json: { object: 'list', data: kinds },
  text: kinds.length === 0 ? 'There are no kinds yet.' : fields(kinds.map(({ tag, name }) => [tag, name])),
});
