import { ServiceError } from '../../../contract/errors.ts';
import type { Job } from '../../../domain/job/job.ts';
import type { ImportWork } from '../../../domain/job/work.ts';
import { text } from '../../../language/text.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { beginJob } from '../../jobs/start.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { isComplete } from './addPiece.ts';

interface Begun {
  readonly id: string;
  /** The revision of the job that whoever begins it has looked at. */
  readonly seen: number;
}

/**
 * Lets an import begin as it was planned and looked at; it goes on in the background, whoever looks. Pressed twice it
 * begins once. Throws `not_found`, and `conflict` for one that is not planned, or has been planned anew since.
 */
export const beginImport = operatorVerb(
  { action: 'subscriber.import', needs: 'change', subject: ({ id }: Begun) => id },
  async (context: Context, { id, seen }: Begun): Promise<Job<ImportWork>> => {
    const job = await findJob(context.workspaceId, id, 'import');
    if (job.state === 'running' || job.state === 'done') return job;
    const { columns, consentGiven, suppressAs } = job.work;
    const isPlanned = columns !== null && (consentGiven !== null || suppressAs !== null) && isComplete(job.work);
    if (!isPlanned || job.state !== 'preparing') throw new ServiceError('conflict');
    const begun = job.revision === seen ? await beginJob(job, context.now) : null;
    if (!begun) throw new ServiceError('conflict', { text: plannedAnew });
    return begun;
  },
);

const plannedAnew = text({
  en: 'This import was planned anew in the meantime: it now stands as below. Look at it again before you begin it.',
  fr: 'Cet import a été préparé autrement entre-temps : le voici tel qu’il est maintenant. Regardez-le de nouveau avant de le lancer.',
});
