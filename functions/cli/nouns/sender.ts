import { now } from '../../../shared/platform/clock.ts';
import { addSender } from '../../../shared/services/senders/add.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
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
    .command('list')
    .description('show the senders of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
};

async function add(options: WorkspaceOption & { default: boolean }, mailbox = ''): Promise<Output> {
  const workspace = await findWorkspace(options.workspace);
  const sender = await addSender(workspace, { mailbox, makeDefault: options.default }, now());
  return {
    json: { object: 'sender', ...sender },
    text: `Added ${sender.email}${sender.default ? ', the default sender' : ''}.`,
  };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const { senders } = await findWorkspace(options.workspace);
  return {
    json: { object: 'list', data: senders.map((sender) => ({ object: 'sender', ...sender })) },
    text: table(
      ['email', 'name', 'default'],
      senders.map((sender) => [sender.email, sender.name, sender.default]),
      'There is no sender yet.',
    ),
  };
}
