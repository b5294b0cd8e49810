import { timeOfId } from '../../domain/identifier.ts';
import { copiedBefore, laggingBefore } from '../../domain/sending/archive.ts';
import { notify } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { type CopyProgress, copiedSince, readProgress } from '../../store/archive/progress.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { SweepRun } from './internal/sweepRun.ts';

/** Once an hour, so that a run that failed or crashed is repeated soon. */
const minuteOfHour = 7;
const messagesAtOnce = 10;

/**
 * Once a day for each workspace, starts the copying of emails whose day has been over for long enough; and notices where
 * it has not got on for three days.
 */
export async function sweepCopies(now: Date): Promise<void> {
  if (now.getUTCMinutes() !== minuteOfHour) return;
  const since = await copiedSince(now);
  const workspaces = (await listWorkspaces()).filter(({ endedAt }) => !endedAt);
  const progress = await readProgress(workspaces.map(({ id }) => id));
  // A workspace that is younger than the copying has no emails from before itself.
  const firstOf = (workspaceId: string): string =>
    new Date(Math.max(Date.parse(since), timeOfId(workspaceId).getTime())).toISOString();
  const through = (one: CopyProgress): string => one.through ?? firstOf(one.workspaceId);
  const behind = progress.filter((one) => through(one) < laggingBefore(now));
  const run = new SweepRun();
  await run.each(messagesAtOnce, progress, async (one) => {
    if (through(one) >= copiedBefore(now)) return;
    await sendJobMessage({ kind: 'copyEmails', workspace_id: one.workspaceId });
  });
  const [first] = behind;
  if (first) {
    const fields = { workspaces: behind.length, workspace_id: first.workspaceId, copied_through: through(first) };
    notify('CopyingBehind', 'Emails are not copied to the bucket as they should be.', fields);
  }
  run.end();
}
