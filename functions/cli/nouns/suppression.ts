import { Option } from 'commander';
import { type SuppressionReason, suppressionReasons } from '../../../shared/domain/person/suppression.ts';
import { addSuppression } from '../../../shared/services/suppression/add.ts';
import { addToPlatform } from '../../../shared/services/suppression/addToPlatform.ts';
import { listSuppression } from '../../../shared/services/suppression/list.ts';
import { removeSuppression } from '../../../shared/services/suppression/remove.ts';
import { removeFromPlatform } from '../../../shared/services/suppression/removeFromPlatform.ts';
import { action, addressText, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace, operator } from '../context.ts';
import { runImport } from '../importFile.ts';
import { type Output, table } from '../output.ts';

type AddOptions = WorkspaceOption & { readonly reason: SuppressionReason; readonly platform: boolean };

export const suppressionNoun: Noun = (program) => {
  const noun = program.command('suppression').description('addresses that get no mail');
  noun
    .command('add')
    .description('block an address, in a workspace or for every one')
    .argument('<address>', 'the address', addressText)
    .option('--platform', 'for the whole platform', false)
    .addOption(new Option('--reason <reason>', 'why').choices(suppressionReasons).default('manual'))
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  noun
    .command('list')
    .description('show who is blocked in a workspace, newest first')
    .option('--email <address>', 'only this one, on the list of the platform too', addressText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { email?: string }>(list));
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

async function add(options: AddOptions, email = ''): Promise<Output> {
  const { reason, platform } = options;
  if (platform) {
    const added = await addToPlatform(operator(), { email, reason });
    return { json: added, text: `${email} gets no mail from any workspace.` };
  }
  const added = await addSuppression(await inWorkspace(options), { email, reason });
  return { json: added, text: `${email} gets no mail from this workspace any more.` };
}

async function list(options: WorkspaceOption & { email?: string }): Promise<Output> {
  const asked = { email: options.email, limit: 100, after: undefined };
  const { entries, next } = await listSuppression(await inWorkspace(options), asked);
  const lines = table(
    ['address', 'reason', 'of', 'since'],
    entries.map((one) => [one.email, one.reason, one.scope, one.created_at]),
    'Nobody is blocked.',
  );
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: next === null ? lines : `${lines}\n\nThere are more: GET /api/v1/suppression pages through them.`,
  };
}

async function remove(options: WorkspaceOption & { platform: boolean }, email = ''): Promise<Output> {
  const removed = options.platform
    ? await removeFromPlatform(operator(), { email })
    : await removeSuppression(await inWorkspace(options), { email });
  return { json: removed, text: `${email} is off the list; it stood there for: ${removed.reason}.` };
}
