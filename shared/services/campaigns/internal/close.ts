import { simulatorSuccess } from '../../../domain/address.ts';
import {
  type Campaign,
  chunkInfo,
  frozenPeople,
  isForOperator,
  openChunks,
  sizeOfSlice,
  winnerOf,
} from '../../../domain/campaign/campaign.ts';
import type { Tally } from '../../../domain/campaign/report.ts';
import { openPositions } from '../../../domain/campaign/slice.ts';
import { feedbackTags } from '../../../email/feedbackTags.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { longestDelaySeconds } from '../../../queue/sqs.ts';
import { changeTest, finishSending } from '../../../store/campaign/campaigns.ts';
import { getRunners, type Runner, restRunner } from '../../../store/campaign/runners.ts';
import { claimPositions, readSlices } from '../../../store/campaign/slices.ts';
import { noteProbe } from '../../../store/feedbackWatermarks.ts';
import { isSendingHeld } from '../../sendingHold.ts';
import { campaignExpiry } from '../counters.ts';
import { readWatermark } from '../feedbackWatermark.ts';
import { continueLater, lookAgainSeconds, waitToBeWoken, wake, wakeAll } from '../runners.ts';
import { changeWithEvent } from './campaignEvents.ts';
import { type CampaignRun, callMilliseconds, hold, messageOf, releaseHold, workspaceOf } from './campaignRun.ts';
import { sendChunk } from './sendChunk.ts';
import { submitBulk } from './submitBulk.ts';
import { survey } from './survey.ts';

/**
 * A run of the closer. When the other runners have gone through all chunks it reads every slice, sends what is left and
 * ends the campaign once everybody has an outcome; counters alone never end it. Until then it stays due, so that a lost
 * wake-up message only delays the campaign.
 */
export async function closeCampaign(
  closer: Runner,
  stored: Campaign,
  limits: Pick<CampaignRun, 'deadline' | 'now' | 'counters'>,
): Promise<void> {
  const { now } = limits;
  const { freeze } = stored;
  const isCanceled = stored.hold?.reason === 'canceled';
  const campaign = isCanceled ? stored : await releaseHold(stored, now());
  if (!freeze) return void (await restRunner(closer, 0));
  if (!campaign) return waitForHold(closer, stored, now());
  if (!isCanceled && (await areSomeBehind(campaign))) return waitToBeWoken(closer, now());
  if (isTestRunning(campaign, now()) && !isCanceled) return waitForDecision(closer, campaign, now());
  const run: CampaignRun = { campaign, freeze, workspace: await workspaceOf(campaign), ...limits };
  if (run.workspace.suspension && !isCanceled) {
    await hold(campaign, { reason: 'workspace_suspended', providerCode: null }, now());
    return continueLater(closer, 0, lookAgainSeconds(), now());
  }
  const { unfinished, tally, variants, needsLaterEvent, openUntil, isExact } = await survey(run, await readWatermark());
  if (needsLaterEvent) await sendProbe(run);
  if (unfinished.length > 0) {
    const isSoon = isCanceled ? await skipRest(run, unfinished) : await sendRest(run, unfinished);
    return continueLater(closer, 0, isSoon ? 1 : pauseSeconds(openUntil, now()), now());
  }
  if (campaign.test && campaign.test.winner === null && !isCanceled) return decide(closer, campaign, variants, now());
  if (isExact && (await finish(campaign, tally, now()))) await restRunner(closer, 0);
  else await continueLater(closer, 0, 1, now());
}

/**
 * How long to wait for the events of open attempts. They mostly come within seconds, so the first looks follow soon; each
 * pause is half as long as the wait so far, which makes few looks of a long one.
 */
function pauseSeconds(openUntil: number | null, now: Date): number {
  if (openUntil === null) return lookAgainSeconds();
  const waited = (now.getTime() - openUntil + callMilliseconds) / 1000;
  return Math.min(lookAgainSeconds(), Math.max(1, waited / 2));
}

/** A hold by an operator lasts until they wake the runners; any other hold is checked again after a while. */
async function waitForHold(closer: Runner, { hold: current }: Campaign, now: Date): Promise<void> {
  if (current && isForOperator(current)) return waitToBeWoken(closer, now);
  return continueLater(closer, 0, lookAgainSeconds(), now);
}

/** Whether a runner still has chunks to send. A resting one missed its wake-up message and gets another. */
async function areSomeBehind(campaign: Campaign): Promise<boolean> {
  const { freeze, workspaceId, id: campaignId } = campaign;
  const count = freeze?.runners ?? 0;
  const runners = await getRunners({ workspaceId, campaignId }, count);
  const behind = runners.filter(({ chunk }) => chunk < openChunks(campaign));
  await Promise.all(behind.map((runner) => runner.isResting && wake(runner)));
  return behind.length > 0 || runners.length < count;
}

/** Sends what the runners left: throttled, uncertain, or claimed before a crash. True when more can be sent at once. */
async function sendRest(run: CampaignRun, chunks: readonly number[]): Promise<boolean> {
  let isSoon = false;
  for (const chunk of chunks) {
    if (run.now() >= run.deadline) return true;
    const outcome = await sendChunk(run, chunk);
    if (outcome.kind === 'obstacle') await hold(run.campaign, outcome.obstacle, run.now());
    if (outcome.kind !== 'done') return outcome.kind === 'late';
    const [slices, people] = [
      await readSlices({ workspaceId: run.campaign.workspaceId, campaignId: run.campaign.id, chunk }),
      chunkInfo(run.freeze, chunk)?.people ?? 0,
    ];
    isSoon ||= slices.every(
      (slice, index) => slice.attempts.length === 0 || openPositions(slice, sizeOfSlice(people, index)).length > 0,
    );
  }
  return isSoon;
}

/** Skips every open position of a cancelled campaign. Messages in flight keep their own outcome. True when it skipped any. */
async function skipRest(run: CampaignRun, chunks: readonly number[]): Promise<boolean> {
  const { campaign, freeze, counters, now, deadline } = run;
  const [expiresAt, day] = [campaignExpiry(new Date(freeze.at)), now().toISOString().slice(0, 10)];
  let isSoon = false;
  for (const chunk of chunks) {
    if (now() >= deadline) return true;
    const chunkPosition = { workspaceId: campaign.workspaceId, campaignId: campaign.id, chunk };
    const people = chunkInfo(freeze, chunk)?.people ?? 0;
    const slices = await readSlices(chunkPosition);
    await Promise.all(
      slices.map(async (slice, index) => {
        const size = sizeOfSlice(people, index);
        const skipped = { 'skip.canceled': new Set(openPositions(slice, size)) } as const;
        if (skipped['skip.canceled'].size === 0) return;
        isSoon = true;
        const position = { ...chunkPosition, slice: index };
        const before = await claimPositions(position, slice.version, { attempt: null, sets: skipped, day, expiresAt });
        if (before) counters.add(position, before, skipped, size);
      }),
    );
  }
  return isSoon;
}

const isTestRunning = ({ test }: Campaign, now: Date): boolean =>
  test !== null && test.winner === null && test.decideAt !== null && now < new Date(test.decideAt);

async function waitForDecision(closer: Runner, { test }: Campaign, now: Date): Promise<void> {
  const left = (new Date(test?.decideAt ?? now).getTime() - now.getTime()) / 1000;
  await continueLater(closer, 0, Math.min(longestDelaySeconds, Math.max(1, left)), now);
}

/** All test messages have an outcome: sets the time of the decision, or decides when it has come. */
async function decide(
  closer: Runner,
  campaign: Campaign,
  variants: ReadonlyMap<number | null, Tally>,
  now: Date,
): Promise<void> {
  const { test, freeze } = campaign;
  if (!test || !freeze) return;
  const decideAt = test.decideAt === null ? addSeconds(now, test.waitHours * 3600) : new Date(test.decideAt);
  const tested = freeze.groups.reduce((sum, { variant, people }) => sum + (variant === null ? 0 : people), 0);
  if (test.decideAt === null) await changeTest(campaign, { ...test, decideAt: decideAt.toISOString() }, tested, now);
  if (now < decideAt)
    return waitForDecision(closer, { ...campaign, test: { ...test, decideAt: decideAt.toISOString() } }, now);
  const results = Array.from({ length: test.variants }, (_, variant) => {
    const tally = variants.get(variant) ?? {};
    return { delivered: tally.delivered ?? 0, votes: (test.decideBy === 'opens' ? tally.votes : tally.clicked) ?? 0 };
  });
  const winner = winnerOf(results);
  await changeTest(campaign, { ...test, decideAt: decideAt.toISOString(), winner, results }, tested, now);
  logger.info('A test is decided.', { campaign_id: campaign.id, winner, results });
  await waitToBeWoken(closer, now);
  await wakeAll(campaign);
}

/** Marks the campaign as sent and returns the quota of those who got nothing; both happen once. False after a conflict. */
async function finish(campaign: Campaign, tally: Tally, now: Date): Promise<boolean> {
  const { freeze, workspaceId } = campaign;
  if (!freeze) return false;
  const unsent = (tally.skipped ?? 0) + (tally.failed ?? 0);
  const expiresAt = campaignExpiry(new Date(freeze.at));
  const finishing = { unsent, expiresAt };
  const sent = { ...campaign, status: 'sent' as const, sentAt: now.toISOString(), hold: null };
  // Of one that was cancelled, that was its last event.
  const isFinished =
    campaign.hold?.reason === 'canceled'
      ? await finishSending(campaign, now, finishing)
      : await changeWithEvent('campaign.completed', sent, now, (deliveries) =>
          finishSending(campaign, now, finishing, deliveries),
        );
  if (!isFinished) return false;
  logger.info('A campaign was sent.', {
    workspace_id: workspaceId,
    campaign_id: campaign.id,
    people: frozenPeople(freeze),
    given_back: unsent,
  });
  return true;
}

/** Per CAMPAIGN_DOUBT_SECONDS, for all campaigns together. */
const maxProbes = 4;

/**
 * Sends a message to the provider's simulator whose events move the feedback watermark. Without it, a campaign whose
 * last answers were lost would wait for a later event that never comes. The simulator counts neither for the day nor for
 * the reputation (SES Developer Guide, "Using the mailbox simulator").
 */
async function sendProbe(run: Pick<CampaignRun, 'campaign' | 'freeze' | 'now'>): Promise<void> {
  const { campaign, now } = run;
  const since = addSeconds(now(), -config('CAMPAIGN_DOUBT_SECONDS') / maxProbes);
  if ((await isSendingHeld()) || !(await noteProbe(now(), since))) return;
  const { from } = await messageOf(run, 0);
  const result = await submitBulk(
    {
      from,
      subject: 'Feedback probe',
      html: '<p>The events of this message show that feedback arrives.</p>',
      text: 'The events of this message show that feedback arrives.',
      data: {},
      headers: [],
      tags: feedbackTags({ kind: 'probe', id: campaign.id, workspaceId: campaign.workspaceId }, []),
      entries: [{ email: simulatorSuccess, data: {}, headers: [], tags: [] }],
      tracking: { opens: false, clicks: false },
    },
    AbortSignal.timeout(callMilliseconds),
    callMilliseconds,
  );
  logger.info('The outcome of some calls of a campaign is unknown: a probe was sent.', {
    workspace_id: campaign.workspaceId,
    campaign_id: campaign.id,
    result: result.kind,
  });
}
