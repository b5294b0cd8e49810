import type { Job } from '../../domain/job/job.ts';
import type { JobWork } from '../../domain/job/work.ts';
import { createId } from '../../domain/token/identifier.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { changeJob, putJob } from '../../store/job/jobs.ts';
import type { Context, OperatorActor } from '../context.ts';

/** So long a message has to arrive before the sweeper sends another. */
const patienceSeconds = 60;

/** A job that waits for what its operator has yet to say. */
export async function prepareJob<Work extends JobWork>(context: Context, work: Work): Promise<Job<Work>> {
  const job = newJob(context, work);
  await putJob(job);
  return job;
}

/** A job that begins at once. */
export async function startJob<Work extends JobWork>(context: Context, work: Work): Promise<Job<Work>> {
  const job: Job<Work> = { ...newJob(context, work), state: 'running', dueAt: dueAt(context.now) };
  await putJob(job);
  await queue(job);
  return job;
}

/** Begins what was prepared; null when it has changed since it was read. */
export async function beginJob<Work extends JobWork>(job: Job<Work>, now: Date): Promise<Job<Work> | null> {
  const begun = await changeJob(job, { state: 'running', dueAt: dueAt(now) });
  if (begun) await queue(begun);
  return begun;
}

/** What is not queued here the sweeper queues. */
async function queue({ workspaceId, id }: Job): Promise<void> {
  try {
    await sendJobMessage({ kind: 'job', workspace_id: workspaceId, job_id: id });
  } catch (error) {
    logger.error('A job could not be queued; the sweeper will.', { error: error as Error, job_id: id });
  }
}

const dueAt = (now: Date): string => addSeconds(now, patienceSeconds).toISOString();

function newJob<Work extends JobWork>({ actor, workspaceId, language, now }: Context, work: Work): Job<Work> {
  if (actor.kind !== 'operator') throw new Error('Only operators have jobs.');
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

/** Whoever began a job does it, in the eyes of the verbs that it calls. */
export const contextOfJob = ({ workspaceId, id, by, language }: Job, now: Date): Context<OperatorActor> => ({
  actor: { kind: 'operator', door: 'console', workspaceId: null, ...by },
  workspaceId,
  language,
  now,
  requestId: id,
});
