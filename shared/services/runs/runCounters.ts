import type { AutomationRun } from '../../domain/automation/run.ts';
import { movedTally, type RunTally, summed } from '../../domain/automation/tally.ts';
import { logger } from '../../platform/logger.ts';
import { addToRunTally, type RunTallyPosition, tallyShardOf } from '../../store/automation/tallies.ts';

/**
 * Collects the changes of counters, so that one write serves a batch. What a crash loses, the next recount finds in the
 * runs.
 */
export class RunCounters {
  readonly #changes = new Map<string, { readonly position: RunTallyPosition; tally: RunTally }>();

  /** Counts that a run went from one state to the next. */
  move(before: AutomationRun | null, after: AutomationRun): void {
    this.add({ ...after, shard: tallyShardOf(after.id) }, movedTally(before, after));
  }

  add({ workspaceId, automationId, version, shard }: RunTallyPosition, tally: RunTally): void {
    const name = [workspaceId, automationId, version, shard].join('#');
    const known = this.#changes.get(name);
    if (known) known.tally = summed([known.tally, tally]);
    else this.#changes.set(name, { position: { workspaceId, automationId, version, shard }, tally });
  }

  /** Never throws: what the counters report has happened. */
  async write(): Promise<void> {
    const changes = [...this.#changes.values()].filter(({ tally }) => Object.keys(tally).length > 0);
    this.#changes.clear();
    const written = await Promise.allSettled(changes.map(({ position, tally }) => addToRunTally(position, tally)));
    const failed = written.find((result) => result.status === 'rejected');
    if (failed)
      logger.warn('Counters of automations were not written; a recount corrects them.', failed.reason as Error);
  }
}
