import { deleteTopic, listTopics, setTopic } from '../../../shared/services/topics.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const topicCommands: CommandGroup = (program) => {
  const group = program
    .command('topic')
    .alias('kind')
    .description('topics: kinds of mail that people can unsubscribe from one by one');
  group
    .command('list')
    .description('show the topics of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
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

const list = async (options: WorkspaceOption): Promise<CommandOutput> => {
  const { entries } = await listTopics(await inWorkspace(options));
  return {
    json: { object: 'list', data: entries },
    text: entries.length === 0 ? 'There are no topics yet.' : fields(entries.map(({ tag, name }) => [tag, name])),
  };
};

async function set({ name, ...options }: WorkspaceOption & { name: string }, tag = ''): Promise<CommandOutput> {
  await setTopic(await inWorkspace(options), { tag, name });
  return list(options);
}

async function remove(options: WorkspaceOption, tag = ''): Promise<CommandOutput> {
  await deleteTopic(await inWorkspace(options), { id: tag });
  return list(options);
}
