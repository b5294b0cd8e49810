import { type Campaign, type Freeze, frozenPeople } from '../../domain/campaign/campaign.ts';
import { progressCounts, type Tally } from '../../domain/campaign/report.ts';
import { afterRecount, observe, type WatchState } from '../../domain/campaign/watch.ts';
import { addSeconds, now as currentTime, secondsInDay, stopwatch } from '../../platform/clock.ts';
import { notify } from '../../platform/logger.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { readTallies } from '../../store/campaign/tallies.ts';
import { type CheckResult, listDueWatches, putCheckResult, type Watch } from '../../store/campaign/watches.ts';
import { type Recount, recountShards } from '../campaigns/recount.ts';
import { SweepRun } from './internal/sweepRun.ts';
import { awaitFeedback } from './watchFeedback.ts';

const watchesOfShard = 100;
const watchesAtOnce = 4;
/** The part of a sweep's five minutes for this task. The rest stays due, the oldest first. */
const runMilliseconds = 40_000;
/** After a crash during a recount, another run continues it after this time. */
const leaseSeconds = 300;
/** A campaign to a million has 80,000 slices in its 16 shards: four shards are read in seconds. */
const shards = 16;
const shardsPerStep = 4;

/**
 * Watches campaigns while they are sent and for some time after: raises an alarm when one makes no progress for no known
 * reason, and recounts its recipients when it is quiet, so that the report is exact despite crashed workers.
 */
export async function sweepCampaigns(now: Date): Promise<void> {
  const elapsed = stopwatch();
  const isTimeLeft = () => elapsed() < runMilliseconds;
  const watches = await listDueWatches(now, watchesOfShard);
  const run = new SweepRun();
  await run.each(watchesAtOnce, watches, async (due) => {
    if (isTimeLeft()) await watchCampaign(due.read(), now, isTimeLeft);
  });
  run.end();
}

/** By campaign, what this process saw of it at its last look. */
const lastLooks = new Map<string, { readonly sent: number; readonly at: Date }>();
/** A message may be counted some time after it was sent. */
const countedWithinSeconds = 120;

/** Messages that SES accepted since the last look must be reported by events. */
function noteProgress(campaignId: string, { sent = 0 }: Tally, now: Date): void {
  const before = lastLooks.get(campaignId);
  if (before && sent > before.sent)
    awaitFeedback('campaign-feedback', addSeconds(before.at, -countedWithinSeconds), now);
  lastLooks.set(campaignId, { sent, at: now });
}

async function watchCampaign(watch: Watch, now: Date, isTimeLeft: () => boolean): Promise<void> {
  const { workspaceId, campaignId, expiresAt } = watch;
  const [campaign, { total }] = await Promise.all([
    getCampaign({ workspaceId, id: campaignId }),
    readTallies(workspaceId, campaignId),
  ]);
  if (campaign?.status === 'sending') noteProgress(campaignId, total, now);
  else lastLooks.delete(campaignId);
  const isOver = now >= addSeconds(new Date(expiresAt * 1000), -secondsInDay);
  if (!campaign?.freeze || (isOver && campaign.status !== 'sending'))
    return void (await putCheckResult(watch, rest(watch)));
  const { state, isStuck, isRecountDue, nextAt } = observe(watch.state, campaign, total, now);
  if (isStuck) reportStuck(campaign, campaign.freeze, state, total);
  if (!isRecountDue && !watch.recount) return void (await putCheckResult(watch, { state, recount: null, nextAt }));
  const recount = watch.recount ?? { nextShard: 0, isExact: true };
  const claimed = await putCheckResult(watch, { state, recount, nextAt: addSeconds(now, leaseSeconds) });
  if (claimed) await recountCampaign(claimed, { ...campaign, freeze: campaign.freeze }, now, isTimeLeft);
}

const rest = ({ state }: Watch): CheckResult => ({ state, recount: null, nextAt: null });

type Frozen = Campaign & { readonly freeze: Freeze };

/** Stores its progress after each step, so that the next run continues when this one has no time left. */
async function recountCampaign(claimed: Watch, campaign: Frozen, now: Date, isTimeLeft: () => boolean): Promise<void> {
  let watch = claimed;
  let { nextShard, isExact } = watch.recount ?? { nextShard: 0, isExact: true };
  while (nextShard < shards) {
    const numbers = Array.from({ length: shardsPerStep }, (_, index) => nextShard + index);
    const outcome: Recount = await recountShards(campaign, numbers, currentTime);
    if (outcome === 'expired') return void (await putCheckResult(watch, rest(watch)));
    isExact &&= outcome === 'exact';
    nextShard += shardsPerStep;
    const isLast = nextShard >= shards;
    if (isLast) break;
    const nextAt = isTimeLeft() ? addSeconds(currentTime(), leaseSeconds) : now;
    const noted = await putCheckResult(watch, { state: watch.state, recount: { nextShard, isExact }, nextAt });
    if (!noted || nextAt === now) return;
    watch = noted;
  }
  const { total } = await readTallies(campaign.workspaceId, campaign.id, { consistent: true });
  const { state, nextAt } = afterRecount(watch.state, campaign.status, { tally: total, isExact }, now);
  await putCheckResult(watch, { state, recount: null, nextAt });
}

/** Reported at every check, so that the alarm lasts as long as its cause. */
function reportStuck({ id, workspaceId }: Campaign, freeze: Freeze, { movedAt }: WatchState, tally: Tally): void {
  notify('CampaignStuck', 'A campaign that is being sent makes no progress.', {
    workspace_id: workspaceId,
    campaign_id: id,
    since: movedAt.toISOString(),
    ...progressCounts(tally, frozenPeople(freeze)),
  });
}
