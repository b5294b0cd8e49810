import type { Input, Output, Result } from '../../contract/route.ts';
import type { cancelJobRoute, getJobRoute, listJobsRoute } from '../../contract/routes/jobs.ts';
import type { Job, JobKind } from '../../domain/job.ts';
import { addSeconds } from '../../platform/clock.ts';
import { exportKey, presignGet, refusedReportKey } from '../../store/files/bucket.ts';
import type { Context } from '../context.ts';
import { exportName, isExportKept } from './exportFile.ts';
import { cancelJob, getJob, pageOfJobs } from './jobs.ts';

export type ShownJob = Output<typeof getJobRoute>;

/** The jobs that a key may begin, newest first. */
export async function listJobRecords(
  context: Context,
  { limit, after }: Input<typeof listJobsRoute>,
): Promise<Result<typeof listJobsRoute>> {
  const { entries, next } = await pageOfJobs(context, { limit, after });
  return { entries: await Promise.all(entries.map((job) => withDownload(job, context.now))), next };
}

/** A job of a kind that the key may begin. Throws `not_found`. */
export async function showJob(context: Context, { id }: Input<typeof getJobRoute>): Promise<ShownJob> {
  return withDownload(await getJob(context, { id }), context.now);
}

/** See `cancelJob`. */
export async function stopJob(context: Context, { id }: Input<typeof cancelJobRoute>): Promise<ShownJob> {
  return shownJob(await cancelJob(context, { id }));
}

const kinds = {
  import: 'import',
  export: 'export',
  personExport: 'person_export',
  erasure: 'erasure',
} as const satisfies Record<JobKind, ShownJob['kind']>;

/** A job that has no file to download: one that was started or cancelled now. */
export function shownJob(job: Job): ShownJob {
  return {
    object: 'job',
    id: job.id,
    kind: kinds[job.work.kind],
    status: job.state,
    progress: progressOf(job),
    failure: job.failure,
    download: null,
    created_at: job.createdAt,
    ended_at: job.endedAt,
  };
}

async function withDownload(job: Job, now: Date): Promise<ShownJob> {
  return { ...shownJob(job), download: await downloadOf(job, now) };
}

function progressOf({ work, state }: Job): ShownJob['progress'] {
  const none = { percent: state === 'done' ? 100 : null, added: null, updated: null, suppressed: null, refused: null };
  if (work.kind !== 'import') return { ...none, records: work.records };
  const { rows, added, updated, suppressed, refused, offset } = work.progress;
  const percent = state === 'done' ? 100 : Math.floor((100 * offset) / work.bytes);
  return { records: rows, percent, added, updated, suppressed, refused };
}

const downloadSeconds = 300;

/** The file of an export, or the lines that an import refused; null when there is none, or none any more. */
async function downloadOf({ workspaceId, id, work, state, endedAt }: Job, now: Date): Promise<ShownJob['download']> {
  const hasFile =
    work.kind === 'import' ? isOver(state) && work.progress.refused > 0 : work.kind !== 'erasure' && state === 'done';
  if (!hasFile || !isExportKept(endedAt, now)) return null;
  const [key, saveAs] =
    work.kind === 'import'
      ? [refusedReportKey(workspaceId, id), `${id}-refused.csv`]
      : [exportKey(workspaceId, id), exportName(work, id)];
  const url = await presignGet(key, { saveAs, now, seconds: downloadSeconds });
  return { url, expires_at: addSeconds(now, downloadSeconds).toISOString() };
}

/** An import that failed in the middle has a report too. */
const isOver = (state: Job['state']): boolean => state === 'done' || state === 'failed';
