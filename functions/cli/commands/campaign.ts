import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { checked } from '../../../shared/contract/fieldNames.ts';
import { createCampaignRequest } from '../../../shared/contract/schemas/campaignRequest.ts';
import { type Campaign, type CampaignStatus, campaignStatuses } from '../../../shared/domain/campaign/campaign.ts';
import { recipientHeader, recipientLine } from '../../../shared/domain/campaign/report.ts';
import { type RecipientFilter, recipientFilters } from '../../../shared/domain/campaign/slice.ts';
import { campaignRecipients } from '../../../shared/services/campaigns/campaignRecipients.ts';
import { createCampaign } from '../../../shared/services/campaigns/createCampaign.ts';
import { archiveCampaign, duplicateCampaign } from '../../../shared/services/campaigns/drafts.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../shared/services/campaigns/pauseCampaign.ts';
import { previewCampaign, sendTestOfCampaign } from '../../../shared/services/campaigns/previewCampaign.ts';
import { scheduleByTime } from '../../../shared/services/campaigns/scheduleByTime.ts';
import { unscheduleCampaign } from '../../../shared/services/campaigns/scheduleCampaign.ts';
import type { Context } from '../../../shared/services/context.ts';
import { showSegment } from '../../../shared/services/segments.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { jsonOf, timeOf, variantIndex } from '../input.ts';
import { type CommandOutput, fields } from '../output.ts';
import { reportCampaign, showCampaign, showCampaigns } from './campaignOutput.ts';
import { sendCommand, whomOf } from './campaignSend.ts';

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

const variantFlag = ['--variant <number>', 'the variant of an A/B test, from 1', variantIndex] as const;

type CampaignVerb = (context: Context, input: { id: string }) => Promise<Campaign>;

export const campaignCommands: CommandGroup = (program) => {
  const group = program.command('campaign').description('campaigns: messages to many people');
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  const ofCampaign = (name: string, description: string) =>
    command(name, description).argument('<id>', 'its identifier');

  command('create', 'create a draft from a JSON file with the fields of POST /campaigns')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(create));
  command('list', 'show the newest 100 campaigns')
    .addOption(new Option('--status <status>', 'only campaigns of this status').choices(campaignStatuses))
    .action(action<WorkspaceOption & { status?: CampaignStatus }>(showCampaigns));
  ofCampaign('show', 'show a campaign and its progress').action(action<WorkspaceOption>(showCampaign));
  ofCampaign('preview', 'render the message without sending it')
    .option('--to <address>', 'for this subscriber')
    .option(...variantFlag)
    .option('--out <file>', 'write the HTML to a file')
    .option('--open', 'open the HTML in the browser', false)
    .action(action<PreviewOptions>(preview));
  ofCampaign('test', 'send the message to one address, marked as a test')
    .requiredOption('--to <address>', 'the recipient')
    .option(...variantFlag)
    .action(action<WorkspaceOption & { to: string; variant?: number }>(test));
  sendCommand(ofCampaign('send', 'send to all recipients of the campaign, or only to those in a file'));
  ofCampaign('schedule', 'send a draft at a later time, 1 minute to 366 days ahead, or move a scheduled campaign')
    .requiredOption('--at <time>', 'with its offset, 2026-12-01T09:00+01:00 or …Z; or without, together with --zone')
    .option('--zone <name>', 'the time zone of --at, such as Europe/Paris: "2026-12-01 09:00"')
    .action(action<ScheduleOptions>(schedule));
  for (const [name, description, change] of changes) {
    ofCampaign(name, description).action(action<WorkspaceOption>(changing(change)));
  }
  ofCampaign('report', 'show the report').action(action<WorkspaceOption>(reportCampaign));
  recipientsCommand(ofCampaign('recipients', 'write all recipients with their outcomes'));
};

const changes: readonly (readonly [string, string, CampaignVerb])[] = [
  ['unschedule', 'make a scheduled campaign a draft again', unscheduleCampaign],
  ['pause', 'pause sending, after at most 50 more recipients', pauseCampaign],
  ['resume', 'resume sending', resumeCampaign],
  ['cancel', 'end a campaign: the remaining recipients are skipped', cancelCampaign],
  ['archive', 'archive a draft or a sent campaign', archiveCampaign],
  ['duplicate', 'create a draft with the same content', duplicateCampaign],
];

const changing =
  (change: CampaignVerb) =>
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
      text: `${campaign.id} (${campaign.name}) is ${campaign.hold ? `${campaign.status}, stopped: ${campaign.hold.reason}` : campaign.status}.`,
    };
  };

async function create(options: WorkspaceOption, file = ''): Promise<CommandOutput> {
  const { segment_id: named, ...input } = checked(createCampaignRequest, jsonOf(file));
  const context = await inWorkspace(options);
  // The draft keeps the id: the segment may be renamed before the campaign is sent.
  const segment_id = named === undefined ? undefined : (await showSegment(context, { id: named })).id;
  const campaign = await createCampaign(context, { ...input, segment_id });
  const whom = whomOf(campaign.target);
  return { json: campaign, text: `Created ${campaign.id} for ${whom}. Next: campaign send ${campaign.id} --dry-run` };
}

async function preview(options: PreviewOptions, id = ''): Promise<CommandOutput> {
  const { to, variant } = options;
  const message = await previewCampaign(await inWorkspace(options), { id, to, variant });
  const file = options.out ?? (options.open ? join(mkdtempSync(join(tmpdir(), 'mailroom-')), `${id}.html`) : null);
  if (file !== null) writeFileSync(file, message.html);
  const isShown = options.open && file !== null && (await openFile(resolve(file)));
  const size = `${(message.htmlBytes / 1000).toFixed(1)} kB of HTML${message.htmlBytes > 102_000 ? ': Gmail cuts it off after 102 kB' : ''}`;
  return {
    json: { object: 'preview', ...message, file },
    text: `${fields([
      ['From', message.from],
      ...(message.replyTo ? [['Reply to', message.replyTo.join(', ')] as [string, string]] : []),
      ['Subject', message.subject],
      ['Size', size],
      ['HTML', file === null ? 'with --out FILE or --open' : `${file}${options.open && !isShown ? ' (open it)' : ''}`],
    ])}\n\n${message.text}`,
  };
}

async function test(options: WorkspaceOption & { to: string; variant?: number }, id = ''): Promise<CommandOutput> {
  const { to, variant } = options;
  const { emailId, subject } = await sendTestOfCampaign(await inWorkspace(options), { id, to, variant });
  return { json: { object: 'email', id: emailId, subject }, text: `Sent "${subject}" to ${options.to}: ${emailId}.` };
}

async function schedule(options: ScheduleOptions, id = ''): Promise<CommandOutput> {
  const { at, shown, remark } = timeOf(options.at, options.zone);
  const scheduled_at = at.toISOString();
  const { status, scheduledAt, recipients } = await scheduleByTime(await inWorkspace(options), { id, scheduled_at });
  const when = shown === null ? scheduledAt : `${scheduledAt}: ${shown}`;
  return {
    json: { object: 'campaign', id, status, scheduledAt, recipients, zone: options.zone ?? null, remark },
    text: [`${id} will be sent at ${when}.`, ...(remark ? [remark] : [])].join('\n'),
  };
}

interface CampaignOptions extends WorkspaceOption {
  readonly outcome?: RecipientFilter;
  readonly format: 'csv' | 'jsonl';
}

/** Writes all recipients of a campaign to stdout. */
function recipientsCommand(command: Command): void {
  command
    .addOption(
      new Option('--outcome <outcome>', 'only recipients with this outcome or event').choices(recipientFilters),
    )
    .addOption(
      new Option('--format <format>', 'csv, or one JSON record a line').choices(['csv', 'jsonl']).default('csv'),
    )
    .action(action<CampaignOptions>(write));
}

async function write(options: CampaignOptions, id = ''): Promise<null> {
  const context = await inWorkspace(options);
  const pieces = async function* () {
    if (options.format === 'csv') yield recipientHeader;
    for await (const people of campaignRecipients(context, { id, outcome: options.outcome })) {
      for (const person of people)
        yield options.format === 'csv' ? recipientLine(person) : `${JSON.stringify(person)}\n`;
    }
  };
  try {
    await pipeline(Readable.from(pieces()), process.stdout, { end: false });
  } catch (error) {
    // A reader that closes the pipe early, such as `| head`, is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  return null;
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file with the desktop’s default program; false when that fails. */
function openFile(path: string): Promise<boolean> {
  const [command, ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, path], { stdio: 'ignore', detached: true });
  return new Promise((settle) => {
    child.once('error', () => settle(false));
    child.once('spawn', () => {
      child.unref();
      settle(true);
    });
  });
}
