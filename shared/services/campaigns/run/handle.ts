import type { RunMessage } from '../../../queue/campaign.ts';
import { runCampaign } from './run.ts';

/** What a turn keeps of its function's time, to record the call that it may be in the midst of. */
const reserveMilliseconds = 25_000;

export async function handleCampaignMessage(
  message: RunMessage,
  remainingMilliseconds: number,
  now: () => Date,
): Promise<void> {
  return runCampaign(message, new Date(now().getTime() + remainingMilliseconds - reserveMilliseconds), now);
}
