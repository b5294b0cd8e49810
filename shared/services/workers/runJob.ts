import { ServiceError } from '../../contract/errors.ts';
import { type Job, type JobKind, type JobWork, maxTries } from '../../domain/job.ts';
import { type Delivery, deliveriesOf } from '../../domain/webhook/delivery.ts';
import { textsOf } from '../../language/text.ts';
import { now } from '../../platform/clock.ts';
import { addLogFields, logger } from '../../platform/logger.ts';
import { type JobMessage, sendJobMessage } from '../../queue/job.ts';
import { getJob } from '../../store/jobs.ts';
import { listWebhooks } from '../../store/webhook/webhooks.ts';
import { getApiKey } from '../../store/workspace/apiKeys.ts';
import { dispatchDeliveries } from '../events.ts';
import { runExport } from '../exports.ts';
import { runImport } from '../imports/runImportJob.ts';
import { shownJob } from '../jobs/jobRecord.ts';
import { JobRun, type JobRunResult, LostJob } from '../jobs/jobRun.ts';
import { runErasure, runPersonExport } from '../rights/rightsJobs.ts';

type JobRunner<Work extends JobWork> = (run: JobRun<Work>) => Promise<JobRunResult<Work>>;

const runners: { readonly [Kind in JobKind]: JobRunner<Extract<JobWork, { readonly kind: Kind }>> } = {
  import: runImport,
  export: runExport,
  personExport: runPersonExport,
  erasure: runErasure,
};

/** The delay before the sweeper tries a failed run again. */
const retrySeconds = 30;

/**
 * Runs a job until it ends or the invocation's time is short. Does nothing for a job that has ended or that another
 * worker runs. The sweeper retries a failed or crashed run; after five tries in a row without progress the job fails.
 */
export async function runJob({ workspace_id, job_id }: JobMessage): Promise<void> {
  addLogFields({ workspace_id, job_id });
  const job = await getJob(workspace_id, job_id);
  const mayBegin = job !== null && (await isKeyAlive(job));
  const run = job && (await JobRun.claim(job));
  if (!run) return;
  try {
    if (!mayBegin) await run.end('failed', { failure: texts.revoked[run.job.language] });
    else if (run.job.tries > maxTries) await giveUp(run);
    else await continueJob(run);
  } catch (error) {
    if (error instanceof LostJob) return;
    await handleFailure(run, error);
  }
}

/**
 * A key that was revoked, or its parent, before the first run begins nothing more: what it started may not have been its owner's wish.
 * A job that has begun goes on, so that nothing is left half done.
 */
async function isKeyAlive({ workspaceId, key, state, begunAt }: Job): Promise<boolean> {
  if (!key || begunAt !== undefined || state !== 'running') return true;
  const own = await getApiKey(workspaceId, key.id);
  const parent = own?.parent ? await getApiKey(workspaceId, own.parent.keyId) : own;
  return own?.revokedAt === null && parent?.revokedAt === null;
}

async function continueJob(run: JobRun<JobWork>): Promise<void> {
  const runner = runners[run.job.work.kind] as JobRunner<JobWork>;
  const result = await run.withLease(() => runner(run));
  if (!result.isDone) {
    await run.pause(result.work);
    const { workspaceId: workspace_id, id: job_id } = run.job;
    await sendJobMessage({ kind: 'job', workspace_id, job_id });
    return;
  }
  await dispatchDeliveries(await run.end('done', { work: result.work }, importEvents));
  await result.cleanUp?.().catch((error: unknown) => {
    logger.warn('The temporary files of a job could not be deleted; they will expire.', { error: error as Error });
  });
}

/** Of an import that reached its end; none, for one query, when no webhook listens. */
async function importEvents(ended: Job): Promise<Delivery[]> {
  if (ended.work.kind !== 'import') return [];
  const { workspaceId, id } = ended;
  const webhooks = await listWebhooks(workspaceId);
  const at = now();
  const event = {
    type: 'import.completed',
    cause: `${id}#completed`,
    at,
    data: shownJob(ended),
    lane: 'bulk',
  } as const;
  return deliveriesOf(workspaceId, event, webhooks, at);
}

/** An expected error ends the job with its text; any other may be temporary and is retried. */
async function handleFailure(run: JobRun<JobWork>, error: unknown): Promise<void> {
  if (error instanceof ServiceError && error.code !== 'internal_error') {
    await run.end('failed', { failure: error.text[run.job.language] }).catch(logFailedRelease);
    return;
  }
  const isLast = run.job.tries >= maxTries;
  await (isLast ? giveUp(run) : run.release(retrySeconds)).catch(logFailedRelease);
  throw error;
}

async function giveUp(run: JobRun<JobWork>): Promise<void> {
  const { work, tries, language } = run.job;
  logger.error('A job was given up.', { job_kind: work.kind, tries });
  await run.end('failed', { failure: texts.givenUp[language] });
}

/** The job was cancelled meanwhile, or the table cannot be reached: then the lease expires by itself. */
const logFailedRelease = (error: unknown): void => {
  logger.warn('The claim on a job could not be released.', { error: error as Error });
};

const texts = textsOf({
  givenUp: {
    en: 'Every attempt failed, so the job was abandoned. The log of the service shows the reason.',
    fr: 'Toutes les tentatives ont échoué et l’opération a été abandonnée. Le journal du service en donne la raison.',
  },
  revoked: {
    en: 'The key that started it was revoked before it began.',
    fr: 'La clé qui l’a lancée a été révoquée avant son début.',
  },
});
