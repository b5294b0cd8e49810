import { ServiceError } from '../../contract/errors.ts';
import { createId } from '../../domain/identifier.ts';
import { endedWork, type Job, type JobKind, type JobWork } from '../../domain/job.ts';
import { text } from '../../language/text.ts';
import { addSeconds } from '../../platform/clock.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { logger } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { changeJob, putJob, getJob as readJob, listJobs as readJobs } from '../../store/jobs.ts';
import type { Context, OperatorActor } from '../context.ts';
import { operatorVerb, requireOperator } from '../operatorVerb.ts';

/** If a job's message has not arrived after this time, the sweeper sends another. */
const messageSeconds = 60;

/** Stores a job that starts only when its operator calls `beginJob`. */
export async function prepareJob<Work extends JobWork>(context: Context, work: Work): Promise<Job<Work>> {
  const job = newJob(context, work);
  await putJob(job);
  return job;
}

/** Stores and queues a job. */
export async function startJob<Work extends JobWork>(context: Context, work: Work): Promise<Job<Work>> {
  const job: Job<Work> = { ...newJob(context, work), state: 'running', dueAt: dueAt(context.now) };
  await putJob(job);
  await queueJob(job);
  return job;
}

/** Starts a prepared job; null when it has changed since it was read. */
export async function beginJob<Work extends JobWork>(job: Job<Work>, now: Date): Promise<Job<Work> | null> {
  const begun = await changeJob(job, { state: 'running', dueAt: dueAt(now) });
  if (begun) await queueJob(begun);
  return begun;
}

/** A failure is only logged: the sweeper queues every job that is due. */
async function queueJob({ workspaceId, id }: Job): Promise<void> {
  try {
    await sendJobMessage({ kind: 'job', workspace_id: workspaceId, job_id: id });
  } catch (error) {
    logger.error('A job could not be queued; the sweeper will queue it.', { error: error as Error, job_id: id });
  }
}

const dueAt = (now: Date): string => addSeconds(now, messageSeconds).toISOString();

function newJob<Work extends JobWork>({ actor, workspaceId, language, now }: Context, work: Work): Job<Work> {
  if (actor.kind !== 'operator') throw new Error('Only operators start jobs.');
  const { name, role } = actor;
  return {
    workspaceId,
    id: createId('job', now),
    state: 'preparing',
    work,
    by: { name, role },
    language,
    createdAt: now.toISOString(),
    endedAt: null,
    failure: null,
    holder: null,
    dueAt: null,
    tries: 0,
    revision: 1,
  };
}

/** The context in which a worker calls verbs for the operator who started the job. */
export const contextOfJob = ({ workspaceId, id, by, language }: Job, now: Date): Context<OperatorActor> => ({
  actor: { kind: 'operator', entryPoint: 'console', workspaceId: null, ...by },
  workspaceId,
  language,
  now,
  requestId: id,
});

/** A job with its progress, for one read unit. Throws `not_found`. */
export async function getJob(context: Context, { id }: { readonly id: string }): Promise<Job> {
  requireOperator(context, 'read');
  const job = await readJob(context.workspaceId, id);
  if (!job) throw new ServiceError('not_found');
  return job;
}

/** A job of one kind, for other verbs: it checks no role. Throws `not_found`. */
export async function findJob<Kind extends JobKind>(
  workspaceId: string,
  id: string,
  kind: Kind,
): Promise<Job<Extract<JobWork, { readonly kind: Kind }>>> {
  const job = await readJob(workspaceId, id);
  if (job && isOfKind(job, kind)) return job;
  throw new ServiceError('not_found');
}

const isOfKind = <Kind extends JobKind>(job: Job, kind: Kind): job is Job<Extract<JobWork, { readonly kind: Kind }>> =>
  job.work.kind === kind;

const maxListed = 100;

/** Those of the workspace's hundred newest jobs that are of these kinds, newest first. Jobs are kept for a month. */
export async function listJobs(context: Context, { kinds }: { readonly kinds: readonly JobKind[] }): Promise<Job[]> {
  requireOperator(context, 'read');
  return (await readJobs(context.workspaceId, maxListed)).filter(({ work }) => kinds.includes(work.kind));
}

/** Stops a job; what it has done stays done. An ended job stays as it is. Throws `not_found`, `conflict` for erasures. */
export const cancelJob = /* @__PURE__ */ operatorVerb(
  { action: 'job.cancel', needs: 'change', subject: ({ id }) => id },
  (context: Context, { id }: { readonly id: string }) =>
    untilSettled(async () => {
      const job = await getJob(context, { id });
      if (job.state !== 'preparing' && job.state !== 'running') return job;
      if (job.work.kind === 'erasure') throw new ServiceError('conflict', { text: erasing });
      const ended = { state: 'canceled', holder: null, dueAt: null, endedAt: context.now.toISOString() } as const;
      return (await changeJob(job, { ...ended, work: endedWork(job.work) })) ?? overtaken;
    }),
);

const erasing = text({
  en: 'An erasure cannot be cancelled, because what is erased cannot be restored.',
  fr: 'Un effacement ne peut pas être annulé, car ce qui est effacé ne peut pas être rétabli.',
});
