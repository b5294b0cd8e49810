import type { MailKind } from '../../../shared/domain/workspace/workspace.ts';
import { listKinds, removeKind, setKind } from '../../../shared/services/kinds.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const kindCommands: CommandGroup = (program) => {
  const group = program
    .command('kind')
    .description('topics: kinds of mail that people can unsubscribe from one by one');
  group
    .command('list')
    .description('show the topics of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(async (options) => outputOf(await listKinds(await inWorkspace(options)))));
  group
    .command('set')
    .description('make the emails with a tag a topic, or rename the topic')
    .argument('<tag>', 'name and value of the tag: category:newsletter')
    .requiredOption('--name <text>', 'its name on the preference page')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { name: string }>(set));
  group
    .command('remove')
    .description('remove a topic; people who unsubscribed from it get its mail again')
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
  text: kinds.length === 0 ? 'There are no topics yet.' : fields(kinds.map(({ tag, name }) => [tag, name])),
});
