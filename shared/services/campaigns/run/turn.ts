import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { endTurn, type Runner } from '../../../store/campaign/runners.ts';
import { wake } from './wake.ts';

/** A turn that says nothing for so long is given up for lost. */
export const lostSeconds = (): number => config('CAMPAIGN_LOST_SECONDS');

/** Where the runner stands is written first: when its message is lost, the sweeper sends another. */
export async function goOn(runner: Runner, chunk: number, delaySeconds: number, now: Date): Promise<void> {
  const ended = await endTurn(runner, chunk, addSeconds(now, delaySeconds + lostSeconds()));
  if (ended) await wake(runner, delaySeconds);
}

/** What stood in the way is looked at again after so long. */
export const lookAgainSeconds = (): number => config('CAMPAIGN_LOOK_AGAIN_SECONDS');

/** Nothing to do before somebody else has done something; should that be lost, the sweeper has it look again. */
export async function watch(runner: Runner, now: Date): Promise<void> {
  await endTurn(runner, runner.chunk, addSeconds(now, lostSeconds()));
}
