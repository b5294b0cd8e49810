import { addSender, listSenders, removeSender } from '../../../shared/services/senders.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, table } from '../output.ts';

export const senderCommands: CommandGroup = (program) => {
  const group = program.command('sender').description('the names and addresses that mail is sent from');
  group
    .command('add')
    .description('register a sender, or rename it; the first one is the default')
    .argument('<mailbox>', '"Display Name <address>" on a domain of the workspace')
    .option('--default', 'make it the default sender', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { default: boolean }>(add));
  group
    .command('remove')
    .description('remove a sender; the default one can only be removed last')
    .argument('<address>', 'its address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  group
    .command('list')
    .description('show the senders of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
};

async function add(options: WorkspaceOption & { default: boolean }, mailbox = ''): Promise<CommandOutput> {
  const sender = await addSender(await inWorkspace(options), { mailbox, makeDefault: options.default });
  return {
    json: sender,
    text: `Added ${sender.email}${sender.default ? ', the default sender' : ''}.`,
  };
}

async function remove(options: WorkspaceOption, address = ''): Promise<CommandOutput> {
  const removed = await removeSender(await inWorkspace(options), { email: address.toLowerCase() });
  return { json: removed, text: `Removed the sender ${removed.email}.` };
}

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const senders = await listSenders(await inWorkspace(options));
  return {
    json: { object: 'list', data: senders },
    text: table(
      ['email', 'name', 'default'],
      senders.map((sender) => [sender.email, sender.name, sender.default]),
      'There is no sender yet.',
    ),
  };
}
