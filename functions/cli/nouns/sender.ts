import { addSender } from '../../../shared/services/senders/add.ts';
import { listSenders } from '../../../shared/services/senders/list.ts';
import { removeSender } from '../../../shared/services/senders/remove.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { type Output, table } from '../output.ts';

export const senderNoun: Noun = (program) => {
  const noun = program.command('sender').description('names that mail is signed with');
  noun
    .command('add')
    .description('register a sender, or rename it; the first one is the default')
    .argument('<mailbox>', '"Display Name <address>" on a domain of the workspace')
    .option('--default', 'make it the default sender', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { default: boolean }>(add));
  noun
    .command('remove')
    .description('take a sender off; the default one goes last')
    .argument('<address>', 'its address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  noun
    .command('list')
    .description('show the senders of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
};

async function add(options: WorkspaceOption & { default: boolean }, mailbox = ''): Promise<Output> {
  const sender = await addSender(await inWorkspace(options), { mailbox, makeDefault: options.default });
  return {
    json: sender,
    text: `Added ${sender.email}${sender.default ? ', the default sender' : ''}.`,
  };
}

async function remove(options: WorkspaceOption, address = ''): Promise<Output> {
  const removed = await removeSender(await inWorkspace(options), { email: address.toLowerCase() });
  return { json: removed, text: `Removed the sender ${removed.email}.` };
}

async function list(options: WorkspaceOption): Promise<Output> {
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
