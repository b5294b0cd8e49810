import { Option } from 'commander';
import { ServiceError } from '../../../shared/contract/errors.ts';
import { type SuppressionReason, suppressionReasons } from '../../../shared/domain/person/person.ts';
import type { Context } from '../../../shared/services/context.ts';
import { getSubscriber } from '../../../shared/services/subscribers/subscribers.ts';
import {
  addSuppression,
  addToPlatform,
  listSuppression,
  removeFromPlatform,
  removeSuppression,
} from '../../../shared/services/suppression.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { importWithProgress } from '../importFile.ts';
import { addressText } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

type AddOptions = WorkspaceOption & { readonly reason: SuppressionReason; readonly platform: boolean };

export const suppressionCommands: CommandGroup = (program) => {
  const group = program.command('suppression').description('addresses that get no mail');
  group
    .command('add')
    .description('suppress an address in a workspace, or in all with --platform')
    .argument('<address>', 'the address', addressText)
    .option('--platform', 'for all workspaces', false)
    .addOption(new Option('--reason <reason>', 'why').choices(suppressionReasons).default('manual'))
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  group
    .command('list')
    .description('show the suppressed addresses of a workspace, newest first')
    .option('--email <address>', 'only this address, including the platform’s list', addressText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { email?: string }>(list));
  group
    .command('remove')
    .description('remove an address from the list of a workspace, or of the platform')
    .argument('<address>', 'the address', addressText)
    .option('--platform', 'from the platform’s list', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { platform: boolean }>(remove));
  group
    .command('import')
    .description('suppress the addresses of a CSV file; run it again after an interruption')
    .argument('<file>', 'CSV with the columns email, reason or status; or an export of Mailchimp, listmonk or Resend')
    .addOption(
      new Option('--reason <reason>', 'for lines without a reason').choices(suppressionReasons).default('manual'),
    )
    .option('--restart', 'start from the beginning after an interrupted import', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { reason: SuppressionReason; restart: boolean }>(importFile));
};

async function importFile(
  options: WorkspaceOption & { reason: SuppressionReason; restart: boolean },
  file = '',
): Promise<CommandOutput> {
  const { reason: suppressAs, restart } = options;
  const input = { file, consentGiven: false, ignoreUnknown: true, restart, suppressAs };
  return importWithProgress(await inWorkspace(options), input);
}

async function add(options: AddOptions, email = ''): Promise<CommandOutput> {
  const { reason, platform } = options;
  if (platform) {
    const added = await addToPlatform(operator(), { email, reason });
    return { json: added, text: `${email} gets no more mail from any workspace.` };
  }
  const context = await inWorkspace(options);
  const added = await addSuppression(context, { email, reason });
  const ended = (await isUnsubscribed(context, email)) ? ` Their subscription has ended. ${onlyThePerson}` : '';
  return { json: added, text: `${email} gets no more mail from this workspace.${ended}` };
}

const onlyThePerson = 'Only they can subscribe again, through the sign-up form.';

/** Whether there is a subscriber with this address who has left. */
async function isUnsubscribed(context: Context, email: string): Promise<boolean> {
  try {
    return (await getSubscriber(context, { email })).status === 'unsubscribed';
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false;
    throw error;
  }
}

async function list(options: WorkspaceOption & { email?: string }): Promise<CommandOutput> {
  const query = { email: options.email, limit: 100, after: undefined };
  const { entries, next } = await listSuppression(await inWorkspace(options), query);
  const lines = table(
    ['address', 'reason', 'list', 'since'],
    entries.map((one) => [one.email, one.reason, one.scope, one.created_at]),
    options.email === undefined ? 'No address is suppressed.' : 'The address is not suppressed.',
  );
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: next === null ? lines : `${lines}\n\nThere are more: GET /api/v1/suppression returns them in pages.`,
  };
}

async function remove(options: WorkspaceOption & { platform: boolean }, email = ''): Promise<CommandOutput> {
  const context = options.platform ? null : await inWorkspace(options);
  const removed = context
    ? await removeSuppression(context, { email })
    : await removeFromPlatform(operator(), { email });
  const isOut = context !== null && (await isUnsubscribed(context, email));
  const out = isOut ? ` They stay unsubscribed and get single emails only. ${onlyThePerson}` : '';
  const kept = removed.kept_at_ses
    ? ' SES still refuses it for the whole account: another workspace, or the platform, has it on its list.'
    : '';
  return { json: removed, text: `${email} was removed from the list; the reason was: ${removed.reason}.${out}${kept}` };
}
