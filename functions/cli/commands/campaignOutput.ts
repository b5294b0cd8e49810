import type { CampaignStatus } from '../../../shared/domain/campaign/campaign.ts';
import { campaignStats, getCampaign, listCampaigns } from '../../../shared/services/campaigns/readCampaigns.ts';
import { inWorkspace, type WorkspaceOption } from '../command.ts';
import { type CommandOutput, fields, percent, table } from '../output.ts';

export async function showCampaigns(options: WorkspaceOption & { status?: CampaignStatus }): Promise<CommandOutput> {
  const query = { limit: 100, status: options.status, after: undefined };
  const page = await listCampaigns(await inWorkspace(options), query);
  return {
    json: { object: 'list', data: page.entries },
    text: table(
      ['id', 'name', 'status', 'sent', 'opened', 'updated'],
      page.entries.map((one) => [
        one.id,
        one.name,
        one.status,
        one.progress?.sent ?? '',
        one.counts.opened,
        one.updatedAt,
      ]),
      'There are no campaigns yet.',
    ),
  };
}

export async function showCampaign(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const campaign = await getCampaign(await inWorkspace(options), { id });
  const { progress, counts } = campaign;
  return {
    json: campaign,
    text: fields([
      ['Campaign', campaign.id],
      ['Name', campaign.name],
      ['Subject', campaign.subject],
      ['From', campaign.fromName ? `${campaign.fromName} <${campaign.fromEmail}>` : campaign.fromEmail],
      ['Status', statusText(campaign)],
      ['Scheduled', campaign.scheduledAt],
      ...(progress
        ? ([
            ['Queued', progress.queued],
            ['Sent', progress.sent],
            ['Skipped', progress.skipped],
            ['Failed', progress.failed],
            ['Uncertain', progress.uncertain],
            ['Waiting', progress.waiting],
            ['Rate', progress.rate === null ? null : `${progress.rate} a second`],
            ['Ends about', progress.estimated_end],
            ['Delivered', counts.delivered],
            ['Bounced', counts.bounced],
          ] as const)
        : []),
    ]),
  };
}

function statusText({ status, progress }: Awaited<ReturnType<typeof getCampaign>>): string {
  if (!progress?.reason) return status;
  return `${status}, ${progress.paused ? 'stopped' : 'waiting'}: ${progress.reason}`;
}

/** The rate is null when there is nothing to divide by. */
const withRate = (count: number, rate: number | null): string =>
  rate === null ? String(count) : `${count} (${percent(rate)})`;

export async function reportCampaign(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const stats = await campaignStats(await inWorkspace(options), { id });
  const { counts, rates, links } = stats;
  const head = fields([
    ['Campaign', stats.campaign.name],
    ['Recipients', counts.recipients],
    ['Delivered', withRate(counts.delivered, rates.delivered)],
    ['Opened', withRate(counts.opened, rates.opened)],
    ['Clicked', withRate(counts.clicked, rates.clicked)],
    ['Bounced', withRate(counts.bounced, rates.bounced)],
    ['Complained', counts.complained],
    ['Unsubscribed', counts.unsubscribed],
  ]);
  const clicked = table(
    ['link', 'clicks'],
    links.map(({ url, clicks }) => [url, clicks]),
    'It has no tracked links.',
  );
  return { json: stats, text: `${head}\n\n${clicked}` };
}
