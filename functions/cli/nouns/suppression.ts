import { Option } from 'commander';
import { type SuppressionReason, suppressionReasons } from '../../../shared/domain/person/suppression.ts';
import { addToPlatform } from '../../../shared/services/suppression/addToPlatform.ts';
import { removeSuppression } from '../../../shared/services/suppression/remove.ts';
import { removeFromPlatform } from '../../../shared/services/suppression/removeFromPlatform.ts';
import { action, addressText, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace, operator } from '../context.ts';
import { runImport } from '../importFile.ts';
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
  noun
    .command('import')
    .description('block the addresses of a CSV file, in a workspace; run it again when it was interrupted')
    .argument('<file>', 'columns email and reason or status; or an export of Mailchimp, listmonk, Resend')
    .addOption(new Option('--reason <reason>', 'of those that give none').choices(suppressionReasons).default('manual'))
    .option('--restart', 'begin anew after an interrupted import of the file', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { reason: SuppressionReason; restart: boolean }>(importFile));
};

async function importFile(
  options: WorkspaceOption & { reason: SuppressionReason; restart: boolean },
  file = '',
): Promise<Output> {
  const { reason: suppressAs, restart } = options;
  const wanted = { file, consentGiven: false, ignoreUnknown: true, restart, suppressAs };
  return runImport(await inWorkspace(options), wanted);
}

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
