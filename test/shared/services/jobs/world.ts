import type { Job } from '../../../../shared/domain/job/job.ts';
import type { ImportWork } from '../../../../shared/domain/job/work.ts';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

/** Less than what a turn keeps for its last step: it lets go after one batch. */
const oneBatchMilliseconds = 50_000;

/** Table, queues and bucket as real engines, with nobody at work on them, in use by this process. */
export async function startJobsWorld() {
  const [engines, bucket] = await Promise.all([startQueuesAndTable(), startTestBucket()]);
  const url = (name: string) => engines.queues[name]?.url ?? '';
  Object.assign(process.env, {
    JOB_QUEUE_URL: url('job'),
    CONFIRMATION_QUEUE_URL: url('confirmation'),
    WEBHOOK_DELIVERY_QUEUE_URL: url('webhook-delivery'),
    WEBHOOK_DELIVERY_BULK_QUEUE_URL: url('webhook-delivery-bulk'),
  });
  const [
    { createWorkspace },
    { prepareImport },
    { addImportPiece },
    { planImport },
    { beginImport },
    { runJob },
    store,
  ] = await Promise.all([
    import('../../../../shared/services/workspaces/create.ts'),
    import('../../../../shared/services/imports/background/prepare.ts'),
    import('../../../../shared/services/imports/background/addPiece.ts'),
    import('../../../../shared/services/imports/background/plan.ts'),
    import('../../../../shared/services/imports/background/begin.ts'),
    import('../../../../shared/services/jobs/run.ts'),
    import('../../../../shared/store/job/jobs.ts'),
  ]);
  const wanted = { name: 'Test', plan: 'growth', language: 'en' } as const;
  const { id: workspaceId } = await createWorkspace(operatorContext(), wanted);
  const context = () => operatorContext(workspaceId);
  const messageOf = ({ id }: Pick<Job, 'id'>) => ({ kind: 'job', workspace_id: workspaceId, job_id: id }) as const;

  return {
    workspaceId,
    context,
    store,
    /** A file of people whose operator answers for their consent, begun and not yet worked on. */
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
