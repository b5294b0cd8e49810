import { Option } from 'commander';
import { type SuppressionReason, suppressionReasons } from '../../../shared/domain/person/suppression.ts';
import { addToPlatform } from '../../../shared/services/suppression/addToPlatform.ts';
import { removeSuppression } from '../../../shared/services/suppression/remove.ts';
import { removeFromPlatform } from '../../../shared/services/suppression/removeFromPlatform.ts';
import { action, addressText, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace, operator } from '../context.ts';
import type { Output } from '../output.ts';

export const suppressionNoun: Noun = (program) => {
  const noun = program.command('suppression').description('addresses that get no mail');
  noun
    .command('add')
    .description('block an address for every workspace (for one workspace: POST /api/v1/suppression)')
    .argument('<address>', 'the address', addressText)
    .requiredOption('--platform', 'for the whole platform')
    .addOption(new Option('--reason <reason>', 'why').choices(suppressionReasons).default('manual'))
    .action(action<{ reason: SuppressionReason }>(add));
  noun
    .command('remove')
    .description('take an address off the list of a workspace, or of the platform')
    .argument('<address>', 'the address', addressText)
    .option('--platform', 'the list of the whole platform', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { platform: boolean }>(remove));
};

async function add({ reason }: { reason: SuppressionReason }, email = ''): Promise<Output> {
  const added = await addToPlatform(operator(), { email, reason });
  return { json: added, text: `${email} gets no mail from any workspace.` };
}

async function remove(options: WorkspaceOption & { platform: boolean }, email = ''): Promise<Output> {
  const removed = options.platform
    ? await removeFromPlatform(operator(), { email })
    : await removeSuppression(await inWorkspace(options), { email });
  return { json: removed, text: `${email} is off the list; it stood there for: ${removed.reason}.` };
}
