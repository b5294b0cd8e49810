import { ServiceError } from '../../contract/errors.ts';
import { getJob as read } from '../../store/job/jobs.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** A job with how far it is: one read unit. Throws `not_found`. */
export async function getJob(context: Context, { id }: { readonly id: string }) {
  requireOperator(context, 'read');
  const job = await read(context.workspaceId, id);
  if (!job) throw new ServiceError('not_found');
  return job;
}
