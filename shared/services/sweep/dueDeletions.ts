import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { eraseFiles } from '../../store/files/erase.ts';
import { deletePage } from '../../store/holdings/everything.ts';
import {
  type Deletion,
  endDeletion,
  getDeletion,
  listDueDeletions,
  noteDeletion,
} from '../../store/workspace/deletions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { Run } from './run.ts';

/** A sweep comes every minute. Whoever dies at work is in nobody's way for longer than a page takes. */
const workSeconds = 40;
const pageSeconds = 60;
/** What was under way when the workspace was ended (a call, a campaign's turn, a retried report) is over by then. */
const settleSeconds = 900;
/** Each goes at its own best pace already. */
const oneByOne = 1;

/** Goes on with the deletion of workspaces, for a while. One empty query when there is none. */
export async function sweepDueDeletions(now: Date): Promise<void> {
  const until = addSeconds(new Date(), workSeconds);
  const run = new Run();
  await run.each(oneByOne, await listDueDeletions(now), ({ workspaceId }) => goOn(workspaceId, now, until));
  run.end();
}

async function goOn(workspaceId: string, now: Date, until: Date): Promise<void> {
  const deletion = await getDeletion(workspaceId);
  // The index may be behind: who has begun meanwhile must not be robbed of it, and what they did of its count.
  if (!deletion || deletion.dueAt >= now.toISOString()) return;
  let held = await noteDeletion(deletion, deletion, addSeconds(new Date(), pageSeconds));
  while (held && new Date() < until) {
    const { scanned, deleted, next } = await deletePage(held.workspaceId, held.position);
    const isPassOver = next === null;
    const files = isPassOver ? await eraseFiles(held.workspaceId) : 0;
    const deletedInPass = held.deletedInPass + deleted + files;
    const progress = {
      scanned: held.scanned + scanned,
      deleted: held.deleted + deleted + files,
      passes: held.passes + (isPassOver ? 1 : 0),
      deletedInPass: isPassOver ? 0 : deletedInPass,
      position: next,
    };
    if (isPassOver && deletedInPass === 0) return finish(held, progress, now);
    held = await noteDeletion(held, progress, addSeconds(new Date(), pageSeconds));
  }
  // Let go of at once, for the next sweep to take up.
  if (held) await noteDeletion(held, held, new Date());
}

/** A pass that found nothing is the last one, unless what was under way may still come. */
async function finish(held: Deletion, progress: Parameters<typeof noteDeletion>[1], now: Date): Promise<void> {
  const settledAt = addSeconds(new Date(held.requestedAt), settleSeconds);
  if (now < settledAt) {
    await noteDeletion(held, progress, settledAt);
    return;
  }
  const workspace = await getWorkspace(held.workspaceId);
  if (workspace) await endDeletion(workspace);
  logger.info('A workspace was deleted.', { deleted: progress.deleted });
}
