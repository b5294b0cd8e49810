import type { Campaign, Freeze } from '../../../domain/campaign/campaign.ts';
import { sendCampaignMessage } from '../../../queue/campaign.ts';
import { getRunner, getRunners, type Runner } from '../../../store/campaign/runners.ts';

/** The runner that looks whether all is done; its number follows those of the others. */
const closerOf = ({ runners }: Freeze): number => runners;

/** Sends a runner the message of its next turn; one that is under way has no use for it and drops it. */
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

/** Everybody at work again: after a pause, or when the winner of a test is known. */
export async function wakeAll({ workspaceId, id, freeze }: Campaign): Promise<void> {
  if (!freeze) return;
  const runners = await getRunners({ workspaceId, campaignId: id }, freeze.runners + 1);
  await Promise.all(runners.map((runner) => wake(runner)));
}
