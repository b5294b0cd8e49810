import { type Campaign, type Freeze, frozenPeople } from '../../domain/campaign/campaign.ts';
import { progressCounts } from '../../domain/campaign/report.ts';
import type { Tally } from '../../domain/campaign/tally.ts';
import { afterRecount, observe, type WatchState } from '../../domain/campaign/watch.ts';
import { addSeconds, now as currentTime, secondsInDay, stopwatch } from '../../platform/clock.ts';
import { notify } from '../../platform/notice.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { readTallies } from '../../store/campaign/tallies.ts';
import { type Look, listDueWatches, putLook, type Watch } from '../../store/campaign/watches.ts';
import { type Recount, recountShards } from '../campaigns/closing/recount.ts';
import { Run } from './run.ts';

const watchesOfShard = 100;
const watchesAtOnce = 4;
/** Of a run, which has five minutes: what is left is due again, and the oldest first. */
const runMilliseconds = 40_000;
/** A run that died in the midst of a recount is gone on with after so long. */
const leaseSeconds = 300;
/** Those of a campaign to a million are 80,000 slices in all: a piece of four is read in seconds. */
const shards = 16;
const shardsOfPiece = 4;

/**
 * Looks after campaigns on their way and after those that were sent: calls an operator when one stands still for no
 * reason, and counts its people anew when it is quiet, so that the report is exact however many workers died.
 */
export async function sweepCampaigns(now: Date): Promise<void> {
  const elapsed = stopwatch();
  const isTimeLeft = () => elapsed() < runMilliseconds;
  const watches = await listDueWatches(now, watchesOfShard);
  const run = new Run();
  await run.each(watchesAtOnce, watches, async (due) => {
    if (isTimeLeft()) await lookAfter(due.read(), now, isTimeLeft);
  });
  run.end();
}

async function lookAfter(watch: Watch, now: Date, isTimeLeft: () => boolean): Promise<void> {
  const { workspaceId, campaignId, expiresAt } = watch;
  const [campaign, { total }] = await Promise.all([
    getCampaign({ workspaceId, id: campaignId }),
    readTallies(workspaceId, campaignId),
  ]);
  const isOver = now >= addSeconds(new Date(expiresAt * 1000), -secondsInDay);
  if (!campaign?.freeze || (isOver && campaign.status !== 'sending')) return void (await putLook(watch, rest(watch)));
  const { state, isStuck, wantsRecount, nextAt } = observe(watch.state, campaign, total, now);
  if (isStuck) reportStuck(campaign, campaign.freeze, state, total);
  if (!wantsRecount && !watch.recount) return void (await putLook(watch, { state, recount: null, nextAt }));
  const recount = watch.recount ?? { nextShard: 0, isExact: true };
  const claimed = await putLook(watch, { state, recount, nextAt: addSeconds(now, leaseSeconds) });
  if (claimed) await recountCampaign(claimed, { ...campaign, freeze: campaign.freeze }, now, isTimeLeft);
}

const rest = ({ state }: Watch): Look => ({ state, recount: null, nextAt: null });

type Frozen = Campaign & { readonly freeze: Freeze };

/** Piece by piece, each noted: what a run has no time for the next one goes on with. */
async function recountCampaign(claimed: Watch, campaign: Frozen, now: Date, isTimeLeft: () => boolean): Promise<void> {
  let watch = claimed;
  let { nextShard, isExact } = watch.recount ?? { nextShard: 0, isExact: true };
  while (nextShard < shards) {
    const numbers = Array.from({ length: shardsOfPiece }, (_, index) => nextShard + index);
    const found: Recount = await recountShards(campaign, numbers, currentTime);
    if (found === 'expired') return void (await putLook(watch, rest(watch)));
    isExact &&= found === 'exact';
    nextShard += shardsOfPiece;
    const isLast = nextShard >= shards;
    if (isLast) break;
    const nextAt = isTimeLeft() ? addSeconds(currentTime(), leaseSeconds) : now;
    const noted = await putLook(watch, { state: watch.state, recount: { nextShard, isExact }, nextAt });
    if (!noted || nextAt === now) return;
    watch = noted;
  }
  const { total } = await readTallies(campaign.workspaceId, campaign.id, { consistent: true });
  const { state, nextAt } = afterRecount(watch.state, campaign.status, { tally: total, isExact }, now);
  await putLook(watch, { state, recount: null, nextAt });
}

/** Said at every look, so that the alarm stands for as long as the campaign does. */
function reportStuck({ id, workspaceId }: Campaign, freeze: Freeze, { movedAt }: WatchState, tally: Tally): void {
  notify('CampaignStuck', 'A campaign on its way does not move.', {
    workspace_id: workspaceId,
    campaign_id: id,
    since: movedAt.toISOString(),
    ...progressCounts(tally, frozenPeople(freeze)),
  });
}
