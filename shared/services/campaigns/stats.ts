import type { Input, Output } from '../../contract/route.ts';
import type { campaignStatsRoute } from '../../contract/routes/campaigns.ts';
import { type Campaign, frozenPeople } from '../../domain/campaign/campaign.ts';
import { defaultData, substitute } from '../../domain/campaign/render/templateData.ts';
import {
  breakdownRows,
  engagement,
  linkRows,
  reportCounts,
  reportRates,
  timeline,
} from '../../domain/campaign/report.ts';
import { type CampaignMessage, getMessage } from '../../store/campaign/messages.ts';
import { readTallies } from '../../store/campaign/tallies.ts';
import type { Context } from '../context.ts';
import { findCampaign } from './find.ts';
import { shownSummary } from './show.ts';

/** The report, from the tally alone: it costs the same whatever the number of people. */
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

/** Of a test the message that won, the first one until then. */
function messageOf({ workspaceId, id, test }: Campaign, freezeId: string): Promise<CampaignMessage | null> {
  return getMessage({ workspaceId, campaignId: id, freezeId, variant: test?.winner ?? 0 });
}
