import { randomUUID } from 'node:crypto';
import { copiedBefore, laggingBefore } from '../../domain/sending/archive.ts';
import { now as currentTime } from '../../platform/clock.ts';
import { remainingMilliseconds } from '../../platform/deadline.ts';
import { addLogFields, logger } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { CopyInterrupted, copyNext, protectEmails } from '../../store/archive/copyEmails.ts';
import { deleteExpiredParts, recoverParts } from '../../store/archive/partCare.ts';
import {
  type CopyProgress,
  claimCopying,
  copiedSince,
  noteCopied,
  releaseCopying,
} from '../../store/archive/progress.ts';
import { isWorkspaceEnded } from '../../store/workspace/workspaces.ts';

/** The part of an invocation's time that is reserved for the current step. */
const reserveMilliseconds = 60_000;
const isOutOfTime = (): boolean => remainingMilliseconds() < reserveMilliseconds;

/** How often in a row another writer may come between before the run fails. */
const mostInterruptions = 5;

/**
 * Copies the emails of a workspace to the bucket whose days have been over for 23 days, and deletes copies that have
 * expired. Nothing is deleted from the table: what is copied expires there by itself, twelve days later by default.
 * Idempotent, and one run at a time: another one does nothing meanwhile.
 */
export async function copyWorkspace(workspaceId: string, now = currentTime()): Promise<void> {
  addLogFields({ workspace_id: workspaceId });
  if ((await isWorkspaceEnded(workspaceId)) !== false) return;
  const holder = randomUUID();
  const progress = await claimCopying(workspaceId, holder, now);
  if (!progress) return;
  let isDone = false;
  try {
    isDone = await run(progress, holder, now);
  } finally {
    await releaseCopying(workspaceId, holder);
  }
  if (!isDone) await sendJobMessage({ kind: 'copyEmails', workspace_id: workspaceId });
}

/** False when time is over before the work is. */
async function run({ workspaceId, ...progress }: CopyProgress, holder: string, now: Date): Promise<boolean> {
  let through = progress.through ?? (await copiedSince(now));
  // Before anything that the bucket could hinder.
  if (through < laggingBefore(now)) await protectEmails(workspaceId, through, laggingBefore(now), { now, isOutOfTime });
  if (!progress.isOfTable) {
    const parts = await recoverParts(workspaceId);
    if (parts > 0) logger.warn('Copies of emails that the table did not know were added to it.', { parts });
  }
  const end = copiedBefore(now);
  let interruptions = 0;
  while (through < end) {
    if (isOutOfTime()) return false;
    try {
      through = (await copyNext(workspaceId, through, end, now)) ?? end;
      interruptions = 0;
    } catch (error) {
      interruptions += 1;
      if (!(error instanceof CopyInterrupted) || interruptions === mostInterruptions) throw error;
      continue;
    }
    if (!(await noteCopied(workspaceId, holder, { through }))) return true;
  }
  const today = now.toISOString().slice(0, 10);
  if (progress.cleanedOn === today) return true;
  await deleteExpiredParts(workspaceId, now);
  await noteCopied(workspaceId, holder, { cleanedOn: today });
  return true;
}
