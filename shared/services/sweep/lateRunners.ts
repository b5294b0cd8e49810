import { logger } from '../../platform/logger.ts';
import { getRunner, listLateRunners } from '../../store/campaign/runners.ts';
import { wake } from '../campaigns/run/wake.ts';
import { Run } from './run.ts';

const limitOfShard = 100;
const atOnce = 25;

/** Sends the message of a runner's turn again that never came or never ended: twins of a turn that lives are dropped. */
export async function sweepLateRunners(now: Date): Promise<void> {
  const late = await listLateRunners(now, limitOfShard);
  const run = new Run();
  const woken = await run.each(atOnce, late, async (position) => {
    const runner = await getRunner(position);
    if (runner) await wake(runner);
    return runner !== null;
  });
  const count = woken.filter(Boolean).length;
  if (count > 0) logger.warn('Runners of campaigns were woken again.', { count });
  run.end();
}
