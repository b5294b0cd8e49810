import { ServiceError } from '../../../contract/errors.ts';
import type { Job } from '../../../domain/job/job.ts';
import type { ImportWork } from '../../../domain/job/work.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { beginJob } from '../../jobs/start.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { isComplete } from './addPiece.ts';

/**
 * Lets an import begin that was planned; it goes on in the background, whoever looks. Pressed twice it begins once.
 * Throws `not_found`, and `conflict` for one that is not planned.
 */
export const beginImport = operatorVerb(
  { action: 'subscriber.import', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Job<ImportWork>> => {
    const job = await findJob(context.workspaceId, id, 'import');
    if (job.state === 'running' || job.state === 'done') return job;
    const { columns, consentGiven, suppressAs } = job.work;
    const isPlanned = columns !== null && (consentGiven !== null || suppressAs !== null) && isComplete(job.work);
    const begun = isPlanned && job.state === 'preparing' ? await beginJob(job, context.now) : null;
    if (!begun) throw new ServiceError('conflict');
    return begun;
  },
);
