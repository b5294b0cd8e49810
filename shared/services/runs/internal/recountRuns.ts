import type { RunTally } from '../../../domain/automation/tally.ts';
import { contributionOf, summed } from '../../../domain/automation/tally.ts';
import { runsOfShard } from '../../../store/automation/runLists.ts';
import { readShard, setRunTally } from '../../../store/automation/tallies.ts';

const tries = 3;

/** Counts the runs of a shard anew, version by version. Runs that move meanwhile leave it as it is, for the next recount. */
export async function recountShard(
  workspaceId: string,
  automationId: string,
  shard: number,
  versions: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const positions = Array.from({ length: versions }, (_, index) => ({
      workspaceId,
      automationId,
      version: index + 1,
      shard,
    }));
    const before = await Promise.all(positions.map(readShard));
    const counted = new Map<number, RunTally>();
    for await (const runs of runsOfShard(workspaceId, automationId, shard)) {
      for (const run of runs) counted.set(run.version, summed([counted.get(run.version) ?? {}, contributionOf(run)]));
    }
    const set = await Promise.all(
      positions.map((position, index) => {
        const read = before[index];
        return read ? setRunTally(position, read, counted.get(position.version) ?? {}) : true;
      }),
    );
    if (set.every(Boolean)) return true;
  }
  return false;
}
