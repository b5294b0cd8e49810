import type { Campaign } from '../../domain/campaign/campaign.ts';
import { countDay, dayCounterName, dayCounterOf, dayCounters } from '../../domain/campaign/dayCounts.ts';
import { difference, sum, type Tally } from '../../domain/campaign/report.ts';
import { type Slice, setOf } from '../../domain/campaign/slice.ts';
import { addSeconds, secondsInDay } from '../../platform/clock.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { pagesOfShards } from '../../store/campaign/slices.ts';
import type { CampaignDay } from '../../store/campaignDays.ts';

interface SentOfDay {
  readonly date: string;
  readonly sent: number;
  readonly delivered: number;
}

/** After this time a sent campaign has been recounted, and few of its messages are still reported as delivered. */
const settledSeconds = 2 * secondsInDay;

/**
 * By day, the difference between the counters of a workspace's campaigns and their slices; below 0 where the counters
 * are too high. Reads every slice of running and recently sent campaigns, strongly consistent: for rare decisions.
 */
export async function missingDays(
  workspaceId: string,
  counted: readonly (CampaignDay & SentOfDay)[],
  since: string,
  now: Date,
): Promise<SentOfDay[]> {
  const ids = [...new Set(counted.map(({ campaignId }) => campaignId))];
  const campaigns = await Promise.all(ids.map((id) => getCampaign({ workspaceId, id })));
  const open = campaigns.filter((campaign) => campaign !== null).filter((campaign) => isOpen(campaign, now));
  const lacking = await Promise.all(
    open.map(async ({ id }) => {
      const known = counted.filter(({ campaignId }) => campaignId === id);
      const { tally, isDated } = await countDays(workspaceId, id);
      return Object.entries(difference(sum(known.map(tallyOf)), tally)).flatMap(([name, count]): SentOfDay[] => {
        const day = dayCounterOf(name);
        if (!day || day.date < since || (count < 0 && !isDated)) return [];
        return [{ date: day.date, sent: 0, delivered: 0, [day.counter]: count }];
      });
    }),
  );
  return lacking.flat();
}

const isOpen = ({ status, sentAt }: Campaign, now: Date): boolean =>
  status === 'sending' || (sentAt !== null && addSeconds(new Date(sentAt), settledSeconds) > now);

const tallyOf = ({ date, ...figures }: SentOfDay): Tally =>
  Object.fromEntries(dayCounters.map((counter) => [dayCounterName(date, counter), figures[counter]]));

/** `isDated`: false when an earlier release began some of the slices, which then show less than was counted. */
async function countDays(workspaceId: string, id: string): Promise<{ tally: Tally; isDated: boolean }> {
  const shards = pagesOfShards(workspaceId, id).map(async (pages) => {
    let [tally, isDated]: [Tally, boolean] = [{}, true];
    for await (const page of pages) {
      tally = sum([tally, ...page.flatMap(({ state }) => [countDay(state), countUnknown(state)])]);
      isDated &&= page.every(({ state }) => state.day !== null);
    }
    return { tally, isDated };
  });
  const counted = await Promise.all(shards);
  return { tally: sum(counted.map(({ tally }) => tally)), isDated: counted.every(({ isDated }) => isDated) };
}

/** Messages that may have been sent without a record: they count as sent. */
function countUnknown({ sets, attempts, day }: Slice): Tally {
  if (day === null) return {};
  const unknown = new Set([...setOf(sets, 'uncertain'), ...attempts.flatMap(({ positions }) => [...positions])]);
  const known = [...setOf(sets, 'accepted'), ...setOf(sets, 'failed'), ...setOf(sets, 'simulated')];
  for (const position of known) unknown.delete(position);
  return { [dayCounterName(day, 'sent')]: unknown.size };
}
