import { withLogFields } from '../../platform/logContext.ts';
import { logger } from '../../platform/logger.ts';
import { eachApart } from '../../platform/parallel.ts';

interface Due {
  readonly workspaceId: string;
}

/**
 * A run over what is due. One that fails is logged with its workspace and keeps no other from being taken up, in this
 * run or in those to come; `end` then throws, so that the run counts as failed.
 */
export class Run {
  #failures = 0;

  /** Takes up each by itself, at most `limit` at a time. Answers the results of those that did not fail. */
  each<Item extends Due, Result>(
    limit: number,
    due: readonly Item[],
    takeUp: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    return eachApart(
      limit,
      due,
      (item) => withLogFields({ workspace_id: item.workspaceId }, () => takeUp(item)),
      (error, { workspaceId }) => {
        this.#failures += 1;
        logger.error('Something that is due could not be taken up.', {
          error: error as Error,
          workspace_id: workspaceId,
        });
      },
    );
  }

  /** To be called at the end, when all that can be done is done. */
  end(): void {
    if (this.#failures > 0) throw new Error(`${this.#failures} that are due could not be taken up.`);
  }
}
