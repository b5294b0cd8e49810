import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { createCampaignRequest } from '../../../../shared/contract/schemas/campaign/create.ts';
import { sendCampaignRequest } from '../../../../shared/contract/schemas/campaign/send.ts';
import type { Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import { type CampaignStatus, campaignStatuses } from '../../../../shared/domain/campaign/status.ts';
import { createCampaign } from '../../../../shared/services/campaigns/create.ts';
import { archiveCampaign } from '../../../../shared/services/campaigns/operator/archive.ts';
import { duplicateCampaign } from '../../../../shared/services/campaigns/operator/duplicate.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../../shared/services/campaigns/operator/pause.ts';
import { previewCampaign } from '../../../../shared/services/campaigns/operator/preview.ts';
import { scheduleCampaign, unscheduleCampaign } from '../../../../shared/services/campaigns/operator/schedule.ts';
import { sendTestOfCampaign } from '../../../../shared/services/campaigns/operator/testSend.ts';
import { sendCampaign } from '../../../../shared/services/campaigns/send.ts';
import type { Context } from '../../../../shared/services/context.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace } from '../../context.ts';
import { openFile } from '../../openFile.ts';
import { fields, type Output } from '../../output.ts';
import { checked, fileText, jsonOf, momentOf, variantNumber } from './input.ts';
import { recipientsCommand } from './recipients.ts';
import { reportCampaign, showCampaign, showCampaigns } from './view.ts';

interface PreviewOptions extends WorkspaceOption {
  readonly to?: string;
  readonly variant?: number;
  readonly out?: string;
  readonly open: boolean;
}

interface ScheduleOptions extends WorkspaceOption {
  readonly at: string;
  readonly zone?: string;
}

const variantFlag = ['--variant <number>', 'of an A/B test: 1 is the first', variantNumber] as const;

type Change = (context: Context, input: { id: string }) => Promise<Campaign>;

export const campaignNoun: Noun = (program) => {
  const noun = program.command('campaign').description('messages to many people');
  const command = (name: string, description: string) =>
    noun
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  const ofCampaign = (name: string, description: string) =>
    command(name, description).argument('<id>', 'its identifier');

  command('create', 'write a draft from a JSON file with the fields of POST /campaigns')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(create));
  command('list', 'show the campaigns, newest first, 100 at most')
    .addOption(new Option('--status <status>', 'only those of this status').choices(campaignStatuses))
    .action(action<WorkspaceOption & { status?: CampaignStatus }>(showCampaigns));
  ofCampaign('show', 'show a campaign and how far it is').action(action<WorkspaceOption>(showCampaign));
  ofCampaign('preview', 'render the message; nothing is sent')
    .option('--to <address>', 'with the fields of this subscriber')
    .option(...variantFlag)
    .option('--out <file>', 'write the HTML to a file')
    .option('--open', 'show the HTML in the browser', false)
    .action(action<PreviewOptions>(preview));
  ofCampaign('test', 'really send the message to one address, marked as a test')
    .requiredOption('--to <address>', 'who gets it')
    .option(...variantFlag)
    .action(action<WorkspaceOption & { to: string; variant?: number }>(test));
  ofCampaign('send', 'send to the whole target, or to those of a list')
    .option('--to <file>', 'a file with an address on each line')
    .option('--dry-run', 'do every check and send nothing', false)
    .action(action<WorkspaceOption & { to?: string; dryRun: boolean }>(send));
  ofCampaign('schedule', 'send a draft at a moment')
    .requiredOption('--at <moment>', 'with its offset, 2026-12-01T09:00+01:00 or …Z; or without, beside --zone')
    .option('--zone <name>', 'the time zone of --at, such as Europe/Paris: "2026-12-01 09:00"')
    .action(action<ScheduleOptions>(schedule));
  for (const [name, description, change] of changes) {
    ofCampaign(name, description).action(action<WorkspaceOption>(changing(change)));
  }
  ofCampaign('report', 'show the report').action(action<WorkspaceOption>(reportCampaign));
  recipientsCommand(ofCampaign('recipients', 'write everybody with what became of them'));
};

const changes: readonly (readonly [string, string, Change])[] = [
  ['unschedule', 'make a scheduled campaign a draft again', unscheduleCampaign],
  ['pause', 'stop a campaign on its way, within one slice of 50', pauseCampaign],
  ['resume', 'let a campaign go on', resumeCampaign],
  ['cancel', 'end a campaign: whoever was not written to is skipped', cancelCampaign],
  ['archive', 'put a draft or a sent campaign out of the way', archiveCampaign],
  ['duplicate', 'make a new draft that says the same', duplicateCampaign],
];

const changing =
  (change: Change) =>
  async (options: WorkspaceOption, id = '') => {
    const campaign = await change(await inWorkspace(options), { id });
    return {
      json: {
        object: 'campaign',
        id: campaign.id,
        name: campaign.name,
        status: campaign.status,
        reason: campaign.hold?.reason ?? null,
      },
      text: `${campaign.id} (${campaign.name}) is ${campaign.hold ? `${campaign.status}, held back: ${campaign.hold.reason}` : campaign.status}.`,
    };
  };

async function create(options: WorkspaceOption, file = ''): Promise<Output> {
  const input = checked(createCampaignRequest, jsonOf(file));
  const campaign = await createCampaign(await inWorkspace(options), input);
  return { json: campaign, text: `Created ${campaign.id}. Next: campaign send ${campaign.id} --dry-run` };
}

async function preview(options: PreviewOptions, id = ''): Promise<Output> {
  const { to, variant } = options;
  const message = await previewCampaign(await inWorkspace(options), { id, to, variant });
  const file = options.out ?? (options.open ? join(mkdtempSync(join(tmpdir(), 'mailroom-')), `${id}.html`) : null);
  if (file !== null) writeFileSync(file, message.html);
  const isShown = options.open && file !== null && (await openFile(resolve(file)));
  const size = `${(message.htmlBytes / 1000).toFixed(1)} kB of HTML${message.htmlBytes > 102_000 ? ': Gmail cuts it off beyond 102 kB' : ''}`;
  return {
    json: { object: 'preview', ...message, file },
    text: `${fields([
      ['From', message.from],
      ['Subject', message.subject],
      ['Size', size],
      ['HTML', file === null ? 'with --out FILE or --open' : `${file}${options.open && !isShown ? ' (open it)' : ''}`],
    ])}\n\n${message.text}`,
  };
}

async function test(options: WorkspaceOption & { to: string; variant?: number }, id = ''): Promise<Output> {
  const { to, variant } = options;
  const { emailId, subject } = await sendTestOfCampaign(await inWorkspace(options), { id, to, variant });
  return { json: { object: 'email', id: emailId, subject }, text: `Sent "${subject}" to ${options.to}: ${emailId}.` };
}

async function send(options: WorkspaceOption & { to?: string; dryRun: boolean }, id = ''): Promise<Output> {
  const lines = options.to === undefined ? undefined : fileText(options.to).split(/\r?\n/);
  const to = lines?.map((line) => line.trim()).filter((line) => line !== '');
  const input = checked(sendCampaignRequest, { to, dry_run: options.dryRun });
  const { output } = await sendCampaign(await inWorkspace(options), { ...input, id });
  if (output.object === 'campaign') return { json: output, text: `${output.queued} people are queued. ${output.note}` };
  return {
    json: output,
    text: output.would_send
      ? `It would go out to ${output.recipients} people.`
      : `It would not go out: ${output.blocked_reason}`,
  };
}

async function schedule(options: ScheduleOptions, id = ''): Promise<Output> {
  const { at, shown, remark } = momentOf(options.at, options.zone);
  const { status, scheduledAt } = await scheduleCampaign(await inWorkspace(options), { id, at });
  const when = shown === null ? `${scheduledAt}` : `${scheduledAt}: ${shown}`;
  return {
    json: { object: 'campaign', id, status, scheduledAt, zone: options.zone ?? null, remark },
    text: [`${id} goes out at ${when}.`, ...(remark ? [remark] : [])].join('\n'),
  };
}
