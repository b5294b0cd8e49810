import type * as z from 'zod';
import type { Shown } from '../../contract/route.ts';
import type { campaignReport, campaign as campaignSchema } from '../../contract/schemas/campaign/record.ts';
import { parseMailbox } from '../../domain/address/address.ts';
import { type Campaign, frozenPeople } from '../../domain/campaign/campaign.ts';
import { campaignRate } from '../../domain/campaign/pace.ts';
import { progressCounts, reportCounts, reportRates } from '../../domain/campaign/report.ts';
import type { Tally } from '../../domain/campaign/tally.ts';
import type { Pace } from '../../store/campaign/pace.ts';

type ShownCampaign = Shown<z.output<typeof campaignSchema>>;

/** What the record and the report of a campaign share. */
export function shownSummary(campaign: Campaign): Shown<z.output<typeof campaignReport>>['campaign'] {
  const sender = parseMailbox(campaign.from);
  return {
    id: campaign.id,
    name: campaign.name,
    subject: campaign.subject,
    status: campaign.status,
    kind: campaign.kind,
    fromName: sender.ok ? (sender.mailbox.name ?? null) : null,
    fromEmail: sender.ok ? sender.mailbox.address : campaign.from,
    sentAt: campaign.sentAt,
    scheduledAt: campaign.scheduledAt,
    updatedAt: campaign.updatedAt,
  };
}

/** A campaign as the API shows it, with its statistics. */
export function shownCampaign(campaign: Campaign, tally: Tally, pace: Pace | null, now: Date): ShownCampaign {
  const counts = reportCounts(tally, campaign.freeze ? frozenPeople(campaign.freeze) : 0);
  return {
    object: 'campaign',
    ...shownSummary(campaign),
    preheader: campaign.preheader,
    segment_id: campaign.segmentId,
    tag: campaign.tag ?? null,
    ...(campaign.template && { template: campaign.template }),
    created_at: campaign.createdAt,
    progress: progressOf(campaign, tally, pace, now),
    counts,
    rates: reportRates(counts),
  };
}

function progressOf(campaign: Campaign, tally: Tally, pace: Pace | null, now: Date): ShownCampaign['progress'] {
  const { freeze, hold, status } = campaign;
  if (!freeze) return null;
  const counts = progressCounts(tally, frozenPeople(freeze));
  const isRunning = status === 'sending' && hold === null && pace !== null;
  const rate = isRunning ? Math.round(campaignRate(pace.account.perSecond) * pace.factor * 10) / 10 : null;
  const seconds = rate && counts.waiting > 0 ? counts.waiting / rate : 0;
  return {
    ...counts,
    paused: hold !== null,
    reason: hold?.reason ?? null,
    rate,
    started_at: freeze.at,
    estimated_end: rate ? new Date(now.getTime() + seconds * 1000).toISOString() : null,
  };
}
