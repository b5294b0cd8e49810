import { Option } from 'commander';
import { type OperatorRole, operatorRoles } from '../../../shared/domain/workspace/workspace.ts';
import { createSignInLink } from '../../../shared/services/operators/linkSignIn.ts';
import {
  changeOperator,
  inviteOperator,
  listOperators,
  removeOperator,
  signOutEverywhere,
  signOutOperator,
} from '../../../shared/services/operators/operators.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption } from '../command.ts';
import { addressText, nameText } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

type LinkOptions = WorkspaceOption & { role: OperatorRole; name?: string };
type GrantOptions = WorkspaceOption & { role: OperatorRole };

const onlyWorkspaceFlag = ['-w, --workspace <name>', 'the only workspace that they may access (default: all)'] as const;
const roleOption = () => new Option('--role <role>', 'their role').choices(operatorRoles);

export const operatorCommands: CommandGroup = (program) => {
  const group = program.command('operator').description('the people who may use the console');
  group
    .command('invite')
    .description('let the owner of an address sign in, or send the invitation again')
    .argument('<email>', 'their address', addressText)
    .addOption(roleOption().makeOptionMandatory())
    .option(...onlyWorkspaceFlag)
    .action(action<GrantOptions>(invite));
  group.command('list').description('show the invited operators').action(action(list));
  group
    .command('change')
    .description('change the role or the workspace of an operator, at once')
    .argument('<email>', 'their address', addressText)
    .addOption(roleOption().makeOptionMandatory())
    .option(...onlyWorkspaceFlag)
    .action(action<GrantOptions>(change));
  group
    .command('remove')
    .description('end the access of an operator, at once')
    .argument('<email>', 'their address', addressText)
    .action(action(remove));
  group
    .command('link')
    .description('create a link that signs a person in to the console, once and within 15 minutes')
    .addOption(roleOption().default('owner'))
    .option('--name <name>', 'the name of the person in the audit log (default: your user name)', nameText)
    .option(...onlyWorkspaceFlag)
    .action(action<LinkOptions>(link));
  group
    .command('sign-out')
    .description('end all sessions of the console, or those of one operator')
    .argument('[email]', 'their address', addressText)
    .action(action(signOut));
};

/** Without --workspace the operator may access all workspaces. */
async function invitationOf(options: GrantOptions, email: string) {
  const workspaceId = options.workspace ? (await inWorkspace(options)).workspaceId : null;
  return { email, role: options.role, workspaceId };
}

async function invite(options: GrantOptions, email = ''): Promise<CommandOutput> {
  const invited = await inviteOperator(operator(), await invitationOf(options, email));
  const mail = invited.mailed ? 'A password for the first sign-in was mailed to them.\n' : '';
  const where = invited.sign_in_at
    ? `They sign in with this address at ${invited.sign_in_at}`
    : 'This deployment has no sign-in provider: create a link for them with "operator link".';
  return { json: invited, text: `${invited.email} may use the console as ${invited.role}.\n${mail}${where}` };
}

async function list(): Promise<CommandOutput> {
  const operators = await listOperators(operator());
  const rows = operators.map(({ email, role, workspace_id, signed_in_at }) => [
    email,
    role,
    workspace_id ?? 'all',
    signed_in_at ?? 'never',
  ]);
  return {
    json: { object: 'list', data: operators },
    text: table(['address', 'role', 'workspace', 'signed in'], rows, 'There are no operators yet.'),
  };
}

async function change(options: GrantOptions, email = ''): Promise<CommandOutput> {
  const changed = await changeOperator(operator(), await invitationOf(options, email));
  return { json: changed, text: `${changed.email} may now use the console as ${changed.role}.` };
}

async function remove(_options: unknown, email = ''): Promise<CommandOutput> {
  const removed = await removeOperator(operator(), { email });
  return { json: removed, text: `${removed.email} may no longer use the console.` };
}

async function link(options: LinkOptions): Promise<CommandOutput> {
  const context = operator();
  const workspaceId = options.workspace ? (await inWorkspace(options)).workspaceId : null;
  const name = options.name ?? context.actor.name;
  const made = await createSignInLink(context, { name, role: options.role, workspaceId });
  return { json: made, text: `${made.url}\n\nIt works once, until ${made.expires_at}.` };
}

async function signOut(_options: unknown, email?: string): Promise<CommandOutput> {
  if (!email) return { json: await signOutEverywhere(operator()), text: 'All sessions of the console have ended.' };
  return { json: await signOutOperator(operator(), { email }), text: `All sessions of ${email} have ended.` };
}
