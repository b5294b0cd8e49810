import { logger, withLogFields } from '../../../platform/logger.ts';
import { eachApart } from '../../../platform/parallel.ts';

interface DueItem {
  readonly workspaceId: string;
}

/**
 * One run of a sweep. An item that fails is logged with its workspace and does not keep the others from being handled;
 * `end` then throws, so that the run counts as failed.
 */
export class SweepRun {
  #failures = 0;

  /** Handles each item, at most `limit` at once. Returns the results of those that did not fail. */
  each<Item extends DueItem, Result>(
    limit: number,
    due: readonly Item[],
    handle: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    return eachApart(
      limit,
      due,
      (item) => withLogFields({ workspace_id: item.workspaceId }, () => handle(item)),
      (error, { workspaceId }) => {
        this.#failures += 1;
        logger.error('A due item failed.', {
          error: error as Error,
          workspace_id: workspaceId,
        });
      },
    );
  }

  /** Call it last. Throws if any item failed. */
  end(): void {
    if (this.#failures > 0) throw new Error(`${this.#failures} due items failed.`);
  }
}
