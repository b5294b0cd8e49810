import { Option } from 'commander';
import { type OperatorRole, operatorRoles } from '../../../../shared/domain/workspace/operatorRole.ts';
import { changeOperator } from '../../../../shared/services/operators/changeOperator.ts';
import { inviteOperator } from '../../../../shared/services/operators/invite.ts';
import { listOperators } from '../../../../shared/services/operators/listOperators.ts';
import { removeOperator } from '../../../../shared/services/operators/removeOperator.ts';
import { createSignIn } from '../../../../shared/services/operators/signIn.ts';
import { signOutEverywhere, signOutOperator } from '../../../../shared/services/operators/signOut.ts';
import { action, addressText, type Noun, nameText, type WorkspaceOption } from '../../action.ts';
import { inWorkspace, operator } from '../../context.ts';
import { type Output, table } from '../../output.ts';

type LinkOptions = WorkspaceOption & { role: OperatorRole; name?: string };
type GrantOptions = WorkspaceOption & { role: OperatorRole };

const only = ['-w, --workspace <name>', 'the only workspace that they may enter (default: all)'] as const;
const roleOption = () => new Option('--role <role>', 'what they may do').choices(operatorRoles);

export const operatorNoun: Noun = (program) => {
  const noun = program.command('operator').description('who may use the console');
  noun
    .command('invite')
    .description('let the owner of an address sign in, or send them the invitation again')
    .argument('<email>', 'their address', addressText)
    .addOption(roleOption().makeOptionMandatory())
    .option(...only)
    .action(action<GrantOptions>(invite));
  noun.command('list').description('show who was invited').action(action(list));
  noun
    .command('change')
    .description('give somebody another role, or another workspace; it holds at once')
    .argument('<email>', 'their address', addressText)
    .addOption(roleOption().makeOptionMandatory())
    .option(...only)
    .action(action<GrantOptions>(change));
  noun
    .command('remove')
    .description('shut somebody out; it holds at once')
    .argument('<email>', 'their address', addressText)
    .action(action(remove));
  noun
    .command('link')
    .description('make a link that signs somebody in to the console, once and within 15 minutes')
    .addOption(roleOption().default('owner'))
    .option('--name <name>', 'who it is for, as the audit log shall call them (default: you)', nameText)
    .option(...only)
    .action(action<LinkOptions>(link));
  noun
    .command('sign-out')
    .description('end every session of the console, or those of one who was invited')
    .argument('[email]', 'whose', addressText)
    .action(action(signOut));
};

/** What an address is granted; all workspaces where none is named. */
async function granted(options: GrantOptions, email: string) {
  const workspaceId = options.workspace ? (await inWorkspace(options)).workspaceId : null;
  return { email, role: options.role, workspaceId };
}

async function invite(options: GrantOptions, email = ''): Promise<Output> {
  const invited = await inviteOperator(operator(), await granted(options, email));
  const mail = invited.mailed ? 'They were mailed a password for their first sign-in.\n' : '';
  const where = invited.sign_in_at
    ? `They sign in with this address at ${invited.sign_in_at}`
    : 'There is no provider to sign in at: "operator link" lets them in.';
  return { json: invited, text: `${invited.email} may use the console as ${invited.role}.\n${mail}${where}` };
}

async function list(): Promise<Output> {
  const operators = await listOperators(operator());
  const rows = operators.map(({ email, role, workspace_id, signed_in_at }) => [
    email,
    role,
    workspace_id ?? 'all',
    signed_in_at ?? 'never',
  ]);
  return {
    json: { object: 'list', data: operators },
    text: table(['address', 'role', 'workspace', 'signed in'], rows, 'Nobody was invited yet.'),
  };
}

async function change(options: GrantOptions, email = ''): Promise<Output> {
  const changed = await changeOperator(operator(), await granted(options, email));
  return { json: changed, text: `${changed.email} may use the console as ${changed.role} from now on.` };
}

async function remove(_options: unknown, email = ''): Promise<Output> {
  const removed = await removeOperator(operator(), { email });
  return { json: removed, text: `${removed.email} may not use the console any more.` };
}

async function link(options: LinkOptions): Promise<Output> {
  const context = operator();
  const workspaceId = options.workspace ? (await inWorkspace(options)).workspaceId : null;
  const name = options.name ?? context.actor.name;
  const made = await createSignIn(context, { name, role: options.role, workspaceId });
  return { json: made, text: `${made.url}\n\nIt works once, and until ${made.expires_at}.` };
}

async function signOut(_options: unknown, email?: string): Promise<Output> {
  if (!email) return { json: await signOutEverywhere(operator()), text: 'Every session of the console has ended.' };
  return { json: await signOutOperator(operator(), { email }), text: `Every session of ${email} has ended.` };
}
