import { Option } from 'commander';
import { type OperatorRole, operatorRoles } from '../../../../shared/domain/workspace/operatorRole.ts';
import { createSignIn } from '../../../../shared/services/operators/signIn.ts';
import { signOutEverywhere } from '../../../../shared/services/operators/signOut.ts';
import { action, type Noun, nameText, type WorkspaceOption } from '../../action.ts';
import { inWorkspace, operator } from '../../context.ts';
import type { Output } from '../../output.ts';

type LinkOptions = WorkspaceOption & { role: OperatorRole; name?: string };

export const operatorNoun: Noun = (program) => {
  const noun = program.command('operator').description('who may use the console');
  noun
    .command('link')
    .description('make a link that signs somebody in to the console, once and within 15 minutes')
    .addOption(new Option('--role <role>', 'what they may do').choices(operatorRoles).default('owner'))
    .option('--name <name>', 'who it is for, as the audit log shall call them (default: you)', nameText)
    .option('-w, --workspace <name>', 'the only workspace that they may enter (default: all)')
    .action(action<LinkOptions>(link));
  noun.command('sign-out').description('end every session of the console').action(action(signOut));
};

async function link(options: LinkOptions): Promise<Output> {
  const context = operator();
  const workspaceId = options.workspace ? (await inWorkspace(options)).workspaceId : null;
  const name = options.name ?? context.actor.name;
  const made = await createSignIn(context, { name, role: options.role, workspaceId });
  return { json: made, text: `${made.url}\n\nIt works once, and until ${made.expires_at}.` };
}

async function signOut(): Promise<Output> {
  return { json: await signOutEverywhere(operator()), text: 'Every session of the console has ended.' };
}
