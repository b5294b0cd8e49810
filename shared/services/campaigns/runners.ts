import type { Campaign, Freeze } from '../../domain/campaign/campaign.ts';
import { addSeconds } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { sendCampaignMessage } from '../../queue/campaign.ts';
import { endTurn, getRunner, getRunners, type Runner } from '../../store/campaign/runners.ts';

/** The last runner of a campaign sends nothing of its own: it finishes what the others left, and ends the campaign. */
const closerOf = ({ runners }: Freeze): number => runners;

/** Sends a runner the message that starts its next run. A runner that is running ignores it. */
export async function wake({ workspaceId, campaignId, runner, turn }: Runner, delaySeconds = 0): Promise<void> {
  await sendCampaignMessage(
    { kind: 'run', workspace_id: workspaceId, campaign_id: campaignId, runner, turn },
    delaySeconds,
  );
}

export async function wakeCloser({ workspaceId, id, freeze }: Campaign): Promise<void> {
  if (!freeze) return;
  const closer = await getRunner({ workspaceId, campaignId: id, runner: closerOf(freeze) });
  if (closer) await wake(closer);
}

/** Wakes every runner: at the start, after a pause, when the winner of a test is known. */
export async function wakeAll({ workspaceId, id, freeze }: Campaign): Promise<void> {
  if (!freeze) return;
  const runners = await getRunners({ workspaceId, campaignId: id }, freeze.runners + 1);
  await Promise.all(runners.map((runner) => wake(runner)));
}

/** A run that has not ended after this time counts as crashed. */
export const lostSeconds = (): number => config('CAMPAIGN_LOST_SECONDS');

/** How long to wait before a hold is checked again. */
export const lookAgainSeconds = (): number => config('CAMPAIGN_LOOK_AGAIN_SECONDS');

/** Ends a run and starts the next one. The position is stored first: if the message is lost, the sweeper sends it. */
export async function continueLater(runner: Runner, chunk: number, delaySeconds: number, now: Date): Promise<void> {
  const ended = await endTurn(runner, chunk, addSeconds(now, delaySeconds + lostSeconds()));
  if (ended) await wake(runner, delaySeconds);
}

/** Ends a run that waits for another process to wake the runner. Should that message be lost, the sweeper wakes it. */
export async function waitToBeWoken(runner: Runner, now: Date): Promise<void> {
  await endTurn(runner, runner.chunk, addSeconds(now, lostSeconds()));
}
