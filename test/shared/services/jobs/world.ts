import type { ImportWork, Job } from '../../../../shared/domain/job.ts';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

/** Less than the reserve of a run, so that it ends after one batch. */
const oneBatchMilliseconds = 50_000;

/** Table, queues and bucket on real engines, without workers, used by this process. */
export async function startJobsWorld() {
  const [engines, bucket] = await Promise.all([startQueuesAndTable(), startTestBucket()]);
  const [
    { createWorkspace },
    { prepareImport },
    { addImportPiece },
    { planImport },
    { beginImport },
    { runJob },
    store,
  ] = await Promise.all([
    import('../../../../shared/services/workspaces/workspaces.ts'),
    import('../../../../shared/services/imports/importJob.ts'),
    import('../../../../shared/services/imports/importJob.ts'),
    import('../../../../shared/services/imports/importJob.ts'),
    import('../../../../shared/services/imports/importJob.ts'),
    import('../../../../shared/services/workers/runJob.ts'),
    import('../../../../shared/store/jobs.ts'),
  ]);
  const wanted = { name: 'Test', plan: 'growth', language: 'en' } as const;
  const { id: workspaceId } = await createWorkspace(operatorContext(), wanted);
  const context = () => operatorContext(workspaceId);
  const messageOf = ({ id }: Pick<Job, 'id'>) => ({ kind: 'job', workspace_id: workspaceId, job_id: id }) as const;

  return {
    workspaceId,
    context,
    store,
    /** An import of people for whose consent the operator answers, begun and not yet run. */
    begun: async (csv: string): Promise<Job<ImportWork>> => {
      const bytes = Buffer.from(csv);
      const announced = { filename: 'people.csv', bytes: bytes.length, suppressAs: null };
      const { id } = await prepareImport(context(), announced);
      await addImportPiece(context(), { id, piece: 0, bytes });
      const columns = [{ kind: 'email' }, { kind: 'firstName' }] as const;
      const { revision } = await planImport(context(), { id, columns, consentGiven: true, suppressAs: null });
      return beginImport(context(), { id, seen: revision });
    },
    run: (job: Pick<Job, 'id'>) => runJob(messageOf(job)),
    runOneBatch: (job: Pick<Job, 'id'>) => withDeadline(oneBatchMilliseconds, () => runJob(messageOf(job))),
    jobOf: async ({ id }: Pick<Job, 'id'>): Promise<Job> => {
      const job = await store.getJob(workspaceId, id);
      if (!job) throw new Error('The job is gone.');
      return job;
    },
    stop: async () => {
      await Promise.all([engines.stop(), bucket.stop()]);
    },
  };
}
