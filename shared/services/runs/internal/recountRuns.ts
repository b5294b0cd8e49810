import type { AutomationRun } from '../../../domain/automation/run.ts';
import { contributionOf, type RunTally, summed } from '../../../domain/automation/tally.ts';
import { addSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { runsOfShard } from '../../../store/automation/runLists.ts';
import { foldRunTally, noShardTally, readShardTallies, setRunTally } from '../../../store/automation/tallies.ts';

/** A worker writes the counters of a batch after its runs: those of a run that was just written may not be counted yet. */
const settledSeconds = 120;

/** Runs that ended so long ago change no more, and their records expire: what they contributed is kept apart. */
const mostFoldDays = 7;
const foldSeconds = () => (Math.min(config('EMAIL_RETENTION_DAYS'), 2 * mostFoldDays) / 2) * secondsInDay;

const tries = 3;

interface Shard {
  readonly workspaceId: string;
  readonly automationId: string;
  readonly shard: number;
}

/**
 * Counts the runs of a shard anew, version by version, which finds what a crash lost. False when runs move meanwhile, or
 * did just before: then the counters stay as they are. What runs contributed that ended long ago is kept in any case.
 */
export async function recountShard(workspaceId: string, automationId: string, shard: number, now: Date) {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const outcome = await recountOnce({ workspaceId, automationId, shard }, now);
    if (outcome !== 'moved') return outcome === 'counted';
  }
  return false;
}

async function recountOnce(position: Shard, now: Date): Promise<'counted' | 'moved' | 'busy'> {
  const { workspaceId, automationId, shard } = position;
  const before = new Map((await readShardTallies(workspaceId, automationId, shard)).map((one) => [one.version, one]));
  const until = addSeconds(now, -foldSeconds());
  const folded = new TalliesByVersion();
  const counted = new TalliesByVersion();
  let isBusy = false;
  for await (const runs of runsOfShard(workspaceId, automationId, shard)) {
    for (const run of runs) {
      isBusy ||= lastWriteOf(run) > now.getTime() - settledSeconds * 1000;
      const endedAt = run.endedAt === null ? now : new Date(run.endedAt);
      if (endedAt < (before.get(run.version)?.until ?? noShardTally.until)) continue;
      (endedAt < until ? folded : counted).add(run);
    }
  }
  const versions = [...new Set([...before.keys(), ...folded.versions(), ...counted.versions()])];
  const known = (version: number) => before.get(version) ?? { ...noShardTally, version };
  const kept = versions.map((version) => foldRunTally(position, known(version), folded.of(version), until));
  if (!(await Promise.all(kept)).every(Boolean)) return 'moved';
  if (isBusy) return 'busy';
  const set = versions.map((version) => {
    const all = summed([known(version).base, folded.of(version), counted.of(version)]);
    return setRunTally(position, known(version), all);
  });
  return (await Promise.all(set)).every(Boolean) ? 'counted' : 'moved';
}

/** What runs contribute, by version. */
class TalliesByVersion {
  readonly #byVersion = new Map<number, RunTally>();

  add(run: AutomationRun): void {
    this.#byVersion.set(run.version, summed([this.of(run.version), contributionOf(run)]));
  }

  of(version: number): RunTally {
    return this.#byVersion.get(version) ?? {};
  }

  versions(): Iterable<number> {
    return this.#byVersion.keys();
  }
}

const lastWriteOf = ({ createdAt, endedAt, claimedAt, story }: AutomationRun): number =>
  Math.max(
    Date.parse(createdAt),
    endedAt === null ? 0 : Date.parse(endedAt),
    claimedAt ?? 0,
    ...story.flatMap(({ startedAt, completedAt }) => [startedAt ?? 0, completedAt ?? 0]),
  );
