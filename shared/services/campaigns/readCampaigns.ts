import type * as z from 'zod';
import { notFound } from '../../contract/notFound.ts';
import type { DeepReadonly, Input, Output, Result } from '../../contract/route.ts';
import type { listLinksRoute } from '../../contract/routes/campaignOutcome.ts';
import type { campaignStatsRoute, listCampaignsRoute } from '../../contract/routes/campaigns.ts';
import type { campaignReport, campaign as campaignSchema } from '../../contract/schemas/campaignRecord.ts';
import { readMailbox } from '../../domain/address.ts';
import { type AbTest, type Campaign, frozenPeople } from '../../domain/campaign/campaign.ts';
import { type ProgressFacts, progressOf } from '../../domain/campaign/progress.ts';
import {
  breakdownRows,
  engagement,
  linkRows,
  reportCounts,
  reportRates,
  timeline,
} from '../../domain/campaign/report.ts';
import { defaultData, substitute } from '../../domain/content/messageTemplate.ts';
import { isId } from '../../domain/identifier.ts';
import { topicId } from '../../domain/workspace/topic.ts';
import { getCampaign as loadCampaign, pageOfCampaigns } from '../../store/campaign/campaigns.ts';
import { type CampaignMessage, getMessage } from '../../store/campaign/frozenContent.ts';
import { getPace, type Pace } from '../../store/campaign/pace.ts';
import { readTallies, type Tallies } from '../../store/campaign/tallies.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../operatorVerb.ts';

/** A campaign of the caller's workspace; `not_found` for any other id. */
export async function findCampaign(workspaceId: string, id: string): Promise<Campaign> {
  const campaign = isId('camp', id) ? await loadCampaign({ workspaceId, id }) : null;
  if (!campaign) throw notFound('campaign');
  return campaign;
}

/** A campaign with its statistics and, once it was sent, its progress. */
export async function getCampaign(context: Context, { id }: { readonly id: string }): Promise<ShownCampaign> {
  requireOperator(context, 'read');
  return shownWithProgress(context, await findCampaign(context.workspaceId, id));
}

/** The same of a campaign that was read. */
export async function shownWithProgress({ workspaceId, now }: Context, campaign: Campaign): Promise<ShownCampaign> {
  if (!campaign.freeze) return shownCampaign(campaign, null, null, now);
  const [tallies, pace] = await Promise.all([
    readTallies(workspaceId, campaign.id, { consistent: true }),
    campaign.status === 'sending' ? getPace() : null,
  ]);
  return shownCampaign(campaign, tallies, pace, now);
}

/** Campaigns, newest first. Their counters cost 8 read units for each that was sent, none for a draft. */
export async function listCampaigns(
  { workspaceId, now }: Context,
  { status, limit, after }: Input<typeof listCampaignsRoute>,
): Promise<Result<typeof listCampaignsRoute>> {
  const { entries: campaigns, next } = await pageOfCampaigns(workspaceId, { status, limit, after });
  const pace = campaigns.some((campaign) => campaign.status === 'sending') ? await getPace() : null;
  const entries = campaigns.map(async (campaign) => {
    const tallies = campaign.freeze ? await readTallies(workspaceId, campaign.id) : null;
    return shownCampaign(campaign, tallies, pace, now);
  });
  return { entries: await Promise.all(entries), next };
}

interface FollowedCampaign {
  readonly campaign: ReturnType<typeof shownCampaign>;
  readonly test: AbTest | null;
}

/** `getCampaign` for polling: eventually consistent reads at half the read units. */
export async function followCampaign(context: Context, { id }: { readonly id: string }): Promise<FollowedCampaign> {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const campaign = await findCampaign(workspaceId, id);
  const { freeze, status, test } = campaign;
  const [tallies, pace] = await Promise.all([
    freeze ? readTallies(workspaceId, id) : null,
    status === 'sending' ? getPace() : null,
  ]);
  return { campaign: shownCampaign(campaign, tallies, pace, now), test };
}

/** The report. Read from counters, so its cost does not depend on the number of recipients. */
export async function campaignStats(
  { workspaceId }: Context,
  { id }: Input<typeof campaignStatsRoute>,
): Promise<Output<typeof campaignStatsRoute>> {
  const campaign = await findCampaign(workspaceId, id);
  const { freeze, test } = campaign;
  const [tallies, message] = freeze
    ? await Promise.all([readTallies(workspaceId, id), messageOf(campaign, freeze.id)])
    : [{ total: {} }, null];
  const tally = tallies.total;
  const counts = reportCounts(tally, freeze ? frozenPeople(freeze) : 0);
  return {
    campaign: shownSummary(campaign),
    counts,
    rates: reportRates(counts),
    timeline: freeze ? timeline(tally) : [],
    audience: {
      ...engagement(tally),
      device: breakdownRows(tally, 'device'),
      os: breakdownRows(tally, 'os'),
      client: breakdownRows(tally, 'client'),
    },
    links: linkRows(tally, message?.links ?? []),
    html: message ? substitute(message.html, defaultData(message)) : '',
    ab_test: test ? { winner: test.winner, decide_at: test.decideAt } : null,
  };
}

/** The links of the message, from most to least clicked. */
export async function listLinks(
  { workspaceId }: Context,
  { id }: Input<typeof listLinksRoute>,
): Promise<Result<typeof listLinksRoute>> {
  const campaign = await findCampaign(workspaceId, id);
  if (!campaign.freeze) return { entries: [], next: null };
  const [tallies, message] = await Promise.all([readTallies(workspaceId, id), messageOf(campaign, campaign.freeze.id)]);
  return { entries: linkRows(tallies.total, message?.links ?? []), next: null };
}

/** The message of the winner of a test; of the first variant while there is none. */
function messageOf({ workspaceId, id, test }: Campaign, freezeId: string): Promise<CampaignMessage | null> {
  return getMessage({ workspaceId, campaignId: id, freezeId, variant: test?.winner ?? 0 });
}

type ShownCampaign = DeepReadonly<z.output<typeof campaignSchema>>;

/** The fields that the record and the report of a campaign share. */
export function shownSummary(campaign: Campaign): DeepReadonly<z.output<typeof campaignReport>>['campaign'] {
  const sender = readMailbox(campaign.from);
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
export function shownCampaign(
  campaign: Campaign,
  tallies: Pick<Tallies, 'total' | 'movedAt'> | null,
  pace: Pace | null,
  now: Date,
): ShownCampaign {
  const { total: tally, movedAt } = tallies ?? { total: {}, movedAt: 0 };
  const counts = reportCounts(tally, campaign.freeze ? frozenPeople(campaign.freeze) : 0);
  return {
    object: 'campaign',
    ...shownSummary(campaign),
    preheader: campaign.preheader,
    segment_id: campaign.segmentId,
    tag: campaign.tag ?? null,
    topic_id: campaign.tag ? topicId(campaign.workspaceId, campaign.tag) : null,
    ...(campaign.template && { template: campaign.template }),
    created_at: campaign.createdAt,
    progress: shownProgress(campaign, { tally, movedAt, promisedUntil: pace?.until ?? null }, now),
    counts,
    rates: reportRates(counts),
  };
}

function shownProgress(campaign: Campaign, facts: ProgressFacts, now: Date): ShownCampaign['progress'] {
  if (!campaign.freeze) return null;
  const { estimatedEnd, ...progress } = progressOf(campaign, facts, now);
  return { ...progress, started_at: campaign.freeze.at, estimated_end: estimatedEnd?.toISOString() ?? null };
}
