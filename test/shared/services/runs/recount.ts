import { contributionOf, isOutsideRuns, summed } from '../../../../shared/domain/automation/tally.ts';
import type { RunsWorld } from './world.ts';

/** The counters of an automation against its runs. */
export async function recountOf({ modules, workspaceId }: RunsWorld, automationId: string) {
  const counted = [];
  for (const shard of modules.tallyShards) {
    for await (const runs of modules.runsOfShard(workspaceId, automationId, shard))
      counted.push(...runs.map(contributionOf));
  }
  const moved = await modules.readRunTally(workspaceId, automationId, 1);
  const ofRuns = Object.fromEntries(Object.entries(moved).filter(([name]) => !isOutsideRuns(name)));
  return { moved: summed([ofRuns]), counted: summed(counted) };
}
