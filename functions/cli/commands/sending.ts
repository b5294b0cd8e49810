import { holdSending, releaseSending, showSending } from '../../../shared/services/changeSendingHold.ts';
import { resumeSending } from '../../../shared/services/reputation.ts';
import { showSendingAccount } from '../../../shared/services/sendingAccount.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const sendingCommands: CommandGroup = (program) => {
  const group = program.command('sending').description('hold all sending, or lift the suspension of a workspace');
  group.command('show').description('show whether all sending is held').action(action(showAll));
  group
    .command('hold')
    .description('hold all sending of the deployment: due mail waits, and none is lost')
    .requiredOption('--all', 'of every workspace')
    .option('--note <text>', 'why, for the audit log and other operators')
    .action(action<{ readonly note?: string }>(hold));
  group
    .command('release')
    .description('release the hold: mail that waits is sent at the usual rate')
    .requiredOption('--all', 'of every workspace')
    .action(action(release));
  group
    .command('resume')
    .description('lift a suspension; bounces and complaints until now no longer count')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(resume));
};

type Sending = Awaited<ReturnType<typeof showSending>>;

function sendingOutput(sending: Sending): CommandOutput {
  const { held, since, by, note } = sending;
  const rows: [string, string][] = [['Sending', held ? 'held' : 'open']];
  if (since !== null) rows.push(['Since', `${since}${by === null ? '' : ` (${by})`}`]);
  if (note !== null) rows.push(['Note', note]);
  return { json: sending, text: fields(rows) };
}

const showAll = async (): Promise<CommandOutput> => sendingOutput(await showSending(operator()));

async function hold({ note }: { readonly note?: string }): Promise<CommandOutput> {
  const sending = await holdSending(operator(), { note });
  const text = `All sending is held. No call to SES begins later than ${sending.held_within_seconds} seconds from now.`;
  return { json: sending, text: sending.changed ? text : 'All sending was already held.' };
}

async function release(): Promise<CommandOutput> {
  const sending = await releaseSending(operator());
  return { json: sending, text: sending.changed ? 'Sending continues.' : 'Sending was not held: nothing changed.' };
}

async function resume(options: WorkspaceOption): Promise<CommandOutput> {
  const sending = await resumeSending(await inWorkspace(options));
  return {
    json: sending,
    text: sending.was_suspended ? 'Sending is allowed again.' : 'Sending was not suspended: nothing changed.',
  };
}

export const accountCommands: CommandGroup = (program) => {
  program.command('account').description('the status and limits of the AWS account at SES').action(action(show));
};

async function show(): Promise<CommandOutput> {
  const account = await showSendingAccount(operator());
  const perDay = account.recipients_per_24_hours;
  const lines = fields([
    ['Access', account.sandbox ? 'sandbox' : 'production'],
    ['Sending', account.sending_enabled ? 'allowed' : 'paused'],
    ['Status', account.enforcement_status],
    ['Rate', `${account.recipients_per_second} recipients a second`],
    ['Day', `${account.sent_last_24_hours} of ${perDay ?? 'unlimited'} recipients in the last 24 hours`],
  ]);
  return { json: account, text: [lines, ...warnings(account)].join('\n\n') };
}

function warnings(account: Awaited<ReturnType<typeof showSendingAccount>>): string[] {
  return [
    account.sandbox &&
      'Warning: in the sandbox, SES sends to verified addresses only. Request production access in the SES console.',
    !account.sending_enabled && 'Warning: SES has paused sending for this account.',
    account.enforcement_status !== 'HEALTHY' &&
      'Warning: SES is reviewing this account because of bounces or complaints; see Reputation metrics in the SES console.',
  ].filter((text) => text !== false);
}
