import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { listLateJobs, releaseLateJob } from '../../store/job/jobs.ts';
import { Run } from './run.ts';

const limit = 100;
const atOnce = 25;
/** What was queued anew is left alone for a while. */
const patienceSeconds = 120;

/** Queues jobs whose message was lost, or whose worker died. A message that comes twice finds that somebody is at it. */
export async function sweepLateJobs(now: Date): Promise<void> {
  const late = await listLateJobs(now, limit);
  const run = new Run();
  const queued = await run.each(atOnce, late, async (job) => {
    if (!(await releaseLateJob(job, addSeconds(now, patienceSeconds)))) return false;
    await sendJobMessage({ kind: 'job', workspace_id: job.workspaceId, job_id: job.id });
    return true;
  });
  const count = queued.filter(Boolean).length;
  if (count > 0) logger.warn('Late jobs were queued again.', { count });
  run.end();
}
