import { type Campaign, isForOperator, openChunks } from '../../../domain/campaign/campaign.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import type { RunMessage } from '../../../queue/campaign.ts';
import { getCampaign } from '../../../store/campaign/campaigns.ts';
import { beginTurn, type Runner, restRunner } from '../../../store/campaign/runners.ts';
import { close } from '../closing/close.ts';
import { TallyBook } from './book.ts';
import { type Interruption, sendChunk } from './chunk.ts';
import { type Flight, workspaceOf } from './flight.ts';
import { freed, hold } from './obstacle.ts';
import { goOn, lookAgainSeconds, lostSeconds } from './turn.ts';
import { wakeCloser } from './wake.ts';

const afterFailureSeconds = 30;

/** One turn of a runner: as many chunks as there is time for, then a message for the next turn. */
export async function runCampaign(message: RunMessage, deadline: Date, now: () => Date): Promise<void> {
  const position = { workspaceId: message.workspace_id, campaignId: message.campaign_id, runner: message.runner };
  const runner = await beginTurn(position, message.turn, addSeconds(now(), lostSeconds()));
  if (!runner) return;
  const book = new TallyBook();
  try {
    await takeTurn(runner, deadline, now, book);
  } catch (error) {
    logger.error('A turn of a campaign failed; it is tried again.', {
      error: error as Error,
      campaign_id: runner.campaignId,
      runner: runner.runner,
    });
    await goOn(runner, runner.chunk, afterFailureSeconds, now());
  } finally {
    await book.write();
  }
}

async function takeTurn(runner: Runner, deadline: Date, now: () => Date, book: TallyBook): Promise<void> {
  const found = await getCampaign({ workspaceId: runner.workspaceId, id: runner.campaignId });
  if (found?.status !== 'sending' || !found.freeze) return void (await restRunner(runner, runner.chunk));
  const { freeze } = found;
  if (runner.runner === freeze.runners) return close(runner, found, { deadline, now, book });
  const campaign = await freed(found, now());
  if (!campaign) return heldBack(runner, found, now());
  const workspace = await workspaceOf(campaign);
  const flight: Flight = { campaign, freeze, workspace, deadline, now, book };
  if (workspace.suspension) {
    await hold(campaign, { reason: 'workspace_suspended', providerCode: null }, now());
    return goOn(runner, runner.chunk, lookAgainSeconds(), now());
  }
  let chunk = runner.chunk;
  while (chunk < openChunks(campaign)) {
    const outcome = await sendChunk(flight, chunk);
    if (outcome.kind !== 'done') return interrupted(flight, runner, chunk, outcome);
    chunk += flight.freeze.runners;
    if (now() >= deadline && chunk < openChunks(campaign)) return goOn(runner, chunk, 0, now());
  }
  await restRunner(runner, chunk);
  await wakeCloser(campaign);
}

async function interrupted(
  { campaign, now }: Flight,
  runner: Runner,
  chunk: number,
  outcome: Interruption,
): Promise<void> {
  if (outcome.kind === 'late') return goOn(runner, chunk, outcome.waitMilliseconds / 1000, now());
  if (outcome.kind === 'obstacle') await hold(campaign, outcome.obstacle, now());
  return goOn(runner, chunk, outcome.kind === 'obstacle' ? lookAgainSeconds() : 1, now());
}

/** What an operator holds back rests until they wake it; what the service holds back looks again by itself. */
async function heldBack(runner: Runner, campaign: Campaign, now: Date): Promise<void> {
  if (campaign.hold?.reason === 'canceled') {
    await restRunner(runner, runner.chunk);
    return wakeCloser(campaign);
  }
  if (campaign.hold && isForOperator(campaign.hold)) return void (await restRunner(runner, runner.chunk));
  return goOn(runner, runner.chunk, lookAgainSeconds(), now);
}
