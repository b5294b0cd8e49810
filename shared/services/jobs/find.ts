import { ServiceError } from '../../contract/errors.ts';
import type { Job } from '../../domain/job/job.ts';
import type { JobKind, JobWork } from '../../domain/job/work.ts';
import { getJob } from '../../store/job/jobs.ts';

/** A job of a workspace and of a kind. Throws `not_found`. */
export async function findJob<Kind extends JobKind>(
  workspaceId: string,
  id: string,
  kind: Kind,
): Promise<Job<Extract<JobWork, { readonly kind: Kind }>>> {
  const job = await getJob(workspaceId, id);
  if (job && isOf(job, kind)) return job;
  throw new ServiceError('not_found');
}

const isOf = <Kind extends JobKind>(job: Job, kind: Kind): job is Job<Extract<JobWork, { readonly kind: Kind }>> =>
  job.work.kind === kind;
