import { type Campaign, isForOperator, openChunks } from '../../domain/campaign/campaign.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import type { RunMessage } from '../../queue/campaign.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { beginTurn, type Runner, restRunner } from '../../store/campaign/runners.ts';
import { CounterBuffer } from './counters.ts';
import { type CampaignRun, hold, releaseHold, workspaceOf } from './internal/campaignRun.ts';
import { closeCampaign } from './internal/close.ts';
import { type Interruption, sendChunk } from './internal/sendChunk.ts';
import { continueLater, lookAgainSeconds, lostSeconds, wakeCloser } from './runners.ts';

/** Time that a run leaves to its invocation for recording the last call. */
const reserveMilliseconds = 25_000;
/** Short turns are fair to other campaigns. The closer's reading of all slices may take the rest of the invocation. */
const turnMilliseconds = 35_000;
const afterFailureSeconds = 30;

/** One run of a campaign runner: sends as many chunks as there is time for, then queues the next run. */
export async function runCampaign(message: RunMessage, remainingMilliseconds: number, now: () => Date): Promise<void> {
  const milliseconds = Math.min(remainingMilliseconds - reserveMilliseconds, turnMilliseconds);
  const deadline = new Date(now().getTime() + milliseconds);
  const position = { workspaceId: message.workspace_id, campaignId: message.campaign_id, runner: message.runner };
  const runner = await beginTurn(position, message.turn, addSeconds(now(), lostSeconds()));
  if (!runner) return;
  const counters = new CounterBuffer();
  try {
    await run(runner, deadline, now, counters);
  } catch (error) {
    logger.error('A run of a campaign failed; it is tried again.', {
      error: error as Error,
      campaign_id: runner.campaignId,
      runner: runner.runner,
    });
    await continueLater(runner, runner.chunk, afterFailureSeconds, now());
  } finally {
    await counters.write();
  }
}

async function run(runner: Runner, deadline: Date, now: () => Date, counters: CounterBuffer): Promise<void> {
  const stored = await getCampaign({ workspaceId: runner.workspaceId, id: runner.campaignId });
  if (stored?.status !== 'sending' || !stored.freeze) return void (await restRunner(runner, runner.chunk));
  const { freeze } = stored;
  if (runner.runner === freeze.runners) return closeCampaign(runner, stored, { deadline, now, counters });
  const campaign = await releaseHold(stored, now());
  if (!campaign) return waitForHold(runner, stored, now());
  const workspace = await workspaceOf(campaign);
  const campaignRun: CampaignRun = { campaign, freeze, workspace, deadline, now, counters };
  if (workspace.suspension) {
    await hold(campaign, { reason: 'workspace_suspended', providerCode: null }, now());
    return continueLater(runner, runner.chunk, lookAgainSeconds(), now());
  }
  let chunk = runner.chunk;
  while (chunk < openChunks(campaign)) {
    const outcome = await sendChunk(campaignRun, chunk);
    if (outcome.kind !== 'done') return interrupted(campaignRun, runner, chunk, outcome);
    chunk += freeze.runners;
    if (now() >= deadline && chunk < openChunks(campaign)) return continueLater(runner, chunk, 0, now());
  }
  await restRunner(runner, chunk);
  await wakeCloser(campaign);
}

async function interrupted(
  { campaign, now }: CampaignRun,
  runner: Runner,
  chunk: number,
  outcome: Interruption,
): Promise<void> {
  if (outcome.kind === 'late') return continueLater(runner, chunk, outcome.waitMilliseconds / 1000, now());
  if (outcome.kind === 'obstacle') await hold(campaign, outcome.obstacle, now());
  return continueLater(runner, chunk, outcome.kind === 'obstacle' ? lookAgainSeconds() : 1, now());
}

/** A hold by an operator lasts until they wake the runner; any other hold is checked again after a while. */
async function waitForHold(runner: Runner, campaign: Campaign, now: Date): Promise<void> {
  if (campaign.hold?.reason === 'canceled') {
    await restRunner(runner, runner.chunk);
    return wakeCloser(campaign);
  }
  if (campaign.hold && isForOperator(campaign.hold)) return void (await restRunner(runner, runner.chunk));
  return continueLater(runner, runner.chunk, lookAgainSeconds(), now);
}
