import type { Job } from '../../domain/job/job.ts';
import type { JobKind } from '../../domain/job/work.ts';
import { listJobs as read } from '../../store/job/jobs.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const most = 100;

/** The jobs of the last month that are of some kinds, the newest first: of the last hundred. */
export async function listJobs(context: Context, { kinds }: { readonly kinds: readonly JobKind[] }): Promise<Job[]> {
  requireOperator(context, 'read');
  return (await read(context.workspaceId, most)).filter(({ work }) => kinds.includes(work.kind));
}
