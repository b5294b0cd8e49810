import { addSeconds, now as currentTime, stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { eraseFiles } from '../../store/files/bucket.ts';
import {
  closeWorkspace,
  type Deletion,
  endDeletion,
  getDeletion,
  listDueDeletions,
  noteDeletion,
} from '../../store/workspace/deletions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { deletePage } from '../../store/workspaceScan.ts';
import { SweepRun } from './internal/sweepRun.ts';

/** The sweeper runs every minute. */
const runSeconds = 40;
/** The lease is renewed for each page, so that after a crash another run continues soon. */
const leaseSeconds = 60;
/** By then, calls, campaign runners and retried events that ran when the workspace was closed have ended. */
const settleSeconds = 900;
/** Pages are deleted in parallel already. */
const deletionsAtOnce = 1;

/** Continues the deletion of ended workspaces for 40 seconds. One empty query when there is none. */
export async function sweepDueDeletions(now: Date): Promise<void> {
  const elapsed = stopwatch();
  const run = new SweepRun();
  await run.each(deletionsAtOnce, await listDueDeletions(now), ({ workspaceId }) =>
    continueDeletion(workspaceId, now, () => elapsed() < runSeconds * 1000),
  );
  run.end();
}

async function continueDeletion(workspaceId: string, now: Date, isTimeLeft: () => boolean): Promise<void> {
  const deletion = await getDeletion(workspaceId);
  // The index may lag: another run may have taken the lease meanwhile, with newer counts.
  if (!deletion || deletion.dueAt >= now.toISOString()) return;
  // The process that began it may have crashed before it closed the workspace, or belong to a release that did not
  // close it.
  await closeWorkspace(workspaceId, new Date(deletion.requestedAt));
  let claimed = await noteDeletion(deletion, deletion, addSeconds(currentTime(), leaseSeconds));
  while (claimed && isTimeLeft()) {
    const { scanned, deleted, next } = await deletePage(claimed.workspaceId, claimed.position);
    const isPassOver = next === null;
    const files = isPassOver ? await eraseFiles(claimed.workspaceId) : 0;
    const deletedInPass = claimed.deletedInPass + deleted + files;
    const progress = {
      scanned: claimed.scanned + scanned,
      deleted: claimed.deleted + deleted + files,
      passes: claimed.passes + (isPassOver ? 1 : 0),
      deletedInPass: isPassOver ? 0 : deletedInPass,
      position: next,
    };
    if (isPassOver && deletedInPass === 0) return finish(claimed, progress, now);
    claimed = await noteDeletion(claimed, progress, addSeconds(currentTime(), leaseSeconds));
  }
  // Ends the lease, so that the next run continues at once.
  if (claimed) await noteDeletion(claimed, claimed, currentTime());
}

/** A pass that finds nothing is the last one, once no running process can still write. */
async function finish(claimed: Deletion, progress: Parameters<typeof noteDeletion>[1], now: Date): Promise<void> {
  const settledAt = addSeconds(new Date(claimed.requestedAt), settleSeconds);
  if (now < settledAt) {
    await noteDeletion(claimed, progress, settledAt);
    return;
  }
  const workspace = await getWorkspace(claimed.workspaceId);
  if (workspace) await endDeletion(workspace);
  logger.info('A workspace was deleted.', { deleted: progress.deleted });
}
