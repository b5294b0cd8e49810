import { basename } from 'node:path';
import type { Command } from 'commander';
import { checked } from '../../../shared/contract/fieldNames.ts';
import type { Result } from '../../../shared/contract/route.ts';
import type { sendCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { exclusionTexts } from '../../../shared/contract/schemas/audience.ts';
import { sendCampaignRequest } from '../../../shared/contract/schemas/campaignSend.ts';
import { sendCampaign } from '../../../shared/services/campaigns/sendCampaign.ts';
import type { Context } from '../../../shared/services/context.ts';
import { action, inWorkspace, type WorkspaceOption } from '../command.ts';
import { isAtTerminal, isConfirmed, yesFlag } from '../confirmation.ts';
import { fileText } from '../input.ts';
import { type CommandOutput, printable, table } from '../output.ts';

interface SendOptions extends WorkspaceOption {
  readonly to?: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

type SendOutput = Result<typeof sendCampaignRoute>['output'];

export function sendCommand(command: Command): void {
  command
    .option('--to <file>', 'a file with an address on each line; without it, a person at a terminal is asked')
    .option('--dry-run', 'only run the checks, without sending, and explain each address of --to', false)
    .option(...yesFlag)
    .action(action<SendOptions>(send));
}

/** The people in the target of a campaign, in words. */
export function whomOf({ segment, topic }: SendOutput['target']): string {
  const people = segment ? `the segment "${segment.name ?? segment.id}"` : 'the whole list';
  return topic ? `${people}, without people who unsubscribed from "${topic.name}"` : people;
}

async function send(options: SendOptions, id = ''): Promise<CommandOutput> {
  const lines = options.to === undefined ? undefined : fileText(options.to).split(/\r?\n/);
  const to = lines?.map((line) => line.trim()).filter((line) => line !== '');
  const input = { ...checked(sendCampaignRequest, { to, dry_run: options.dryRun }), id };
  const context = await inWorkspace(options);
  const mustAsk = to === undefined && !options.dryRun && !options.yes && isAtTerminal();
  if (mustAsk && !(await isWanted(context, id))) throw new Error('Nothing was sent.');
  const { output } = await sendCampaign(context, input);
  return { json: output, text: textOf(output, options.to) };
}

/** Asks before a send to everybody. A send that would be refused is not asked about: its refusal says why. */
async function isWanted(context: Context, id: string): Promise<boolean> {
  const { output } = await sendCampaign(context, { id, to: undefined, dry_run: true });
  if (output.object !== 'send_preview' || !output.would_send) return true;
  const whom = `${recipientsOf(output.recipients ?? 0)} of ${whomOf(output.target)}`;
  return isConfirmed(`Send "${printable(output.subject)}" to ${whom}?`);
}

function textOf(output: SendOutput, file: string | undefined): string {
  const { target, audience } = output;
  const count = output.object === 'campaign' ? output.queued : (output.recipients ?? 0);
  const whom =
    audience && file !== undefined
      ? `${count} of the ${audience.requested} ${audience.requested === 1 ? 'entry' : 'entries'} of ${basename(file)}, in ${whomOf(target)}`
      : `${recipientsOf(count)} of ${whomOf(target)}`;
  return [headOf(output, whom), ...(audience ? skippedOf(audience) : []), ...warningsOf(output)].join('\n\n');
}

function headOf(output: SendOutput, whom: string): string {
  if (output.object === 'campaign') return `Queued for ${whom}. ${output.note}`;
  return output.would_send ? `It would be sent to ${whom}.` : `It would not be sent: ${output.blocked_reason}`;
}

/** Every entry of the list that gets nothing, and why. */
function skippedOf({ duplicates, excluded_addresses: excluded }: NonNullable<SendOutput['audience']>): string[] {
  const repeated = duplicates > 0 ? [`Repeated in the list, and counted once: ${duplicates}.`] : [];
  if (excluded.length === 0) return repeated;
  const rows = excluded.map(({ email, reason, tag }) => [
    email,
    reason,
    tag ? `Has left the topic ${tag}.` : exclusionTexts[reason].en,
  ]);
  return [...repeated, table(['skipped', 'reason', 'meaning'], rows, '')];
}

function warningsOf(output: SendOutput): string[] {
  if (output.object === 'campaign' || output.warnings.length === 0) return [];
  return [output.warnings.map(({ code, message }) => `warning: ${message} (${code})`).join('\n')];
}

const recipientsOf = (count: number): string => `${count} ${count === 1 ? 'recipient' : 'recipients'}`;
